// Kernels without dependences: one thread creates, or several do.
#include <stdlib.h>

#include "tasks.h"

static void run_body(long i) {
  compute(work.grain);
  slots[i] += 1;
}

static void create_independent(void) {
  for (long i = 0; i < work.tasks; ++i) {
#pragma omp task firstprivate(i)
    run_body(i);
  }
}

// The thread that creates is the narrow place: it computes before each task, and the task has little to do.
static void create_slowly(void) {
  for (long i = 0; i < work.tasks; ++i) {
    compute(work.gap);
#pragma omp task firstprivate(i)
    run_body(i);
  }
}

// Generators that create at the same time, each with its own children and four chains among them.
enum { kChains = 4 };
static Cell* links;  // kChains a generator

static long children_of(long generator) {
  return (generator + 1) * work.tasks / work.width - generator * work.tasks / work.width;
}

static void prepare_nested(void) {
  prepare_slots();
  links = allocated(work.width * kChains, sizeof *links);
}

static void generate(long generator) {
  Cell* mine = links + generator * kChains;
  const long first = generator * work.tasks / work.width;
  const long children = children_of(generator);
  for (long i = 0; i < children; ++i) {
    Cell* link = &mine[i % kChains];
#pragma omp task firstprivate(i, first, link) depend(inout : *link)
    {
      compute(work.grain);
      slots[first + i] = ++link->value;
    }
  }
#pragma omp taskwait
}

static void create_nested(void) {
  for (long g = 0; g < work.width; ++g) {
#pragma omp task firstprivate(g)
    generate(g);
  }
}

static void reset_nested(void) {
  reset_slots();
  for (long c = 0; c < work.width * kChains; ++c) links[c].value = 0;
}

static bool verify_nested(void) {
  for (long g = 0; g < work.width; ++g) {
    const long first = g * work.tasks / work.width;
    for (long i = 0; i < children_of(g); ++i) {
      if (slots[first + i] != (uint32_t)(i / kChains + 1)) return false;
    }
  }
  return true;
}

static void finish_nested(void) {
  finish_slots();
  free(links);
}

// `tasks` is what the grain size makes of the loop, whose iterations have a slot each.
static long iterations;

static void prepare_taskloop(void) {
  iterations = work.tasks * work.grainsize;
  slots = allocated(iterations, sizeof *slots);
}

static void reset_taskloop(void) {
  for (long i = 0; i < iterations; ++i) slots[i] = 0;
}

static void create_taskloop(void) {
  const long grainsize = work.grainsize;
  const uint64_t count =
      (uint64_t)iterations;  // unsigned: Clang compares it with an unsigned of its own, and warns
#pragma omp taskloop grainsize(grainsize)
  for (uint64_t i = 0; i < count; ++i) run_body((long)i);
}

static bool verify_taskloop(void) {
  for (long i = 0; i < iterations; ++i) {
    if (slots[i] != 1) return false;
  }
  return true;
}

const Kernel kPlainKernels[] = {
    {.name = "independent",
     .meaning = "one thread creates tasks that wait for nothing",
     .tasks = 100000,
     .prepare = prepare_slots,
     .reset = reset_slots,
     .create = create_independent,
     .verify = every_slot_is_one,
     .finish = finish_slots},
    {.name = "producer",
     .meaning = "bound by the creator, which computes --gap ns before each task",
     .tasks = 20000,
     .prepare = prepare_slots,
     .reset = reset_slots,
     .create = create_slowly,
     .verify = every_slot_is_one,
     .finish = finish_slots},
    {.name = "consumer",
     .meaning = "bound by the bodies, each 2 µs long, with many tasks ready",
     .tasks = 10000,
     .grain_ns = 2000,
     .prepare = prepare_slots,
     .reset = reset_slots,
     .create = create_independent,
     .verify = every_slot_is_one,
     .finish = finish_slots},
    {.name = "nested",
     .meaning = "--width tasks (2 a thread) create at the same time, each its own children in 4 chains",
     .tasks = 50000,
     .width = -2,
     .prepare = prepare_nested,
     .reset = reset_nested,
     .create = create_nested,
     .verify = verify_nested,
     .finish = finish_nested},
    {.name = "taskloop",
     .meaning = "taskloop of --tasks times --grainsize iterations",
     .tasks = 50000,
     .prepare = prepare_taskloop,
     .reset = reset_taskloop,
     .create = create_taskloop,
     .verify = verify_taskloop,
     .finish = finish_slots},
    {0}};
