// Kernels whose tasks depend on each other over few addresses: chains, fans, many readers of one writer.
#include <stdlib.h>

#include "tasks.h"

// The addresses that tasks depend on; what lies there is written under those dependences only.
static Cell* cells;
// What sequential execution leaves there, where a kernel compares with it.
static uint32_t* expected;

static void prepare_cells(void) {
  prepare_slots();
  cells = allocated(work.width, sizeof *cells);
}

static void reset_cells(void) {
  reset_slots();
  for (long c = 0; c < work.width; ++c) cells[c].value = 0;
}

static void finish_cells(void) {
  finish_slots();
  free(cells);
  free(expected);
  cells = NULL;
  expected = NULL;
}

// Listing 1 of Yu et al., "Taskgraph: A Low Contention OpenMP Tasking Framework" (arXiv 2212.04771): out on
// one of as many addresses as there are cores, in turn. With one address it is a chain.
static void create_series(void) {
  for (long i = 0; i < work.tasks; ++i) {
    Cell* cell = &cells[i % work.width];
#pragma omp task firstprivate(i, cell) depend(out : *cell)
    {
      compute(work.grain);
      slots[i] = ++cell->value;
    }
  }
}

static void prepare_chain(void) {
  work.width = 1;
  prepare_cells();
}

static void create_chain(void) {
  Cell* cell = cells;
  for (long i = 0; i < work.tasks; ++i) {
#pragma omp task firstprivate(i, cell) depend(inout : *cell)
    {
      compute(work.grain);
      slots[i] = ++cell->value;
    }
  }
}

static bool verify_series(void) {
  for (long i = 0; i < work.tasks; ++i) {
    if (slots[i] != (uint32_t)(i / work.width + 1)) return false;
  }
  return true;
}

// One writer, --width readers, the next writer: the readers wait for one task, one task waits for the
// readers.
static void prepare_fan(void) {
  const long group = work.width + 1;
  work.tasks = (work.tasks + group - 1) / group * group;
  prepare_cells();
}

static void create_fan(void) {
  Cell* hub = cells;
  const long group = work.width + 1;
  for (long i = 0; i < work.tasks; ++i) {
    if (i % group == 0) {
#pragma omp task firstprivate(i, hub) depend(inout : *hub)
      {
        compute(work.grain);
        slots[i] = ++hub->value;
      }
    } else {
#pragma omp task firstprivate(i, hub) depend(in : *hub)
      {
        compute(work.grain);
        slots[i] = hub->value;
      }
    }
  }
}

static bool verify_fan(void) {
  for (long i = 0; i < work.tasks; ++i) {
    if (slots[i] != (uint32_t)(i / (work.width + 1) + 1)) return false;
  }
  return true;
}

// Three in and one out over --width addresses. The strides let two tasks that follow each other run at the
// same time.
static void mix_three(long i, const Cell* a, const Cell* b, const Cell* c, Cell* out) {
  out->value = mixed(mixed(mixed((uint32_t)i, a->value), b->value), c->value);
}

static void prepare_in3out1(void) {
  if (work.width < 6) refuse("--width %ld: in3out1 has at least 6 addresses", work.width);
  prepare_cells();
  expected = allocated(work.width, sizeof *expected);
  for (long i = 0; i < work.tasks; ++i) {
    const long w = work.width;
    mix_three(i, &cells[(i + 2) % w], &cells[(i + 3) % w], &cells[(i + 5) % w], &cells[i % w]);
  }
  for (long c = 0; c < work.width; ++c) expected[c] = cells[c].value;
}

static void create_in3out1(void) {
  const long w = work.width;
  for (long i = 0; i < work.tasks; ++i) {
    Cell *a = &cells[(i + 2) % w], *b = &cells[(i + 3) % w], *c = &cells[(i + 5) % w], *out = &cells[i % w];
#pragma omp task firstprivate(i, a, b, c, out) depend(in : *a, *b, *c) depend(out : *out)
    {
      compute(work.grain);
      slots[i] += 1;
      mix_three(i, a, b, c, out);
    }
  }
}

static bool cells_are_as_expected(void) {
  for (long c = 0; c < work.width; ++c) {
    if (cells[c].value != expected[c]) return false;
  }
  return every_slot_is_one();
}

// As many in-dependences as --width / 8, from one iterator.
static long sources(void) {
  return work.width < 8 ? 1 : work.width / 8;
}

static long source(long i, long k) {
  return (i * 5 + k * 3 + 1) % work.width;
}

static void mix_sources(long i) {
  uint32_t mix = (uint32_t)i;
  for (long k = 0; k < sources(); ++k) mix = mixed(mix, cells[source(i, k)].value);
  cells[i % work.width].value = mix;
}

static void prepare_iterators(void) {
  prepare_cells();
  expected = allocated(work.width, sizeof *expected);
  for (long i = 0; i < work.tasks; ++i) mix_sources(i);
  for (long c = 0; c < work.width; ++c) expected[c] = cells[c].value;
}

static void create_iterators(void) {
  for (long i = 0; i < work.tasks; ++i) {
#pragma omp task firstprivate(i) depend(iterator(long k = 0 : sources()), in : cells[source(i, k)]) \
    depend(out : cells[i % work.width])
    {
      compute(work.grain);
      slots[i] += 1;
      mix_sources(i);
    }
  }
}

const Kernel kDependenceKernels[] = {
    {.name = "chain",
     .meaning = "each task waits for the one before: inout on one address",
     .tasks = 100000,
     .width = 1,
     .prepare = prepare_chain,
     .reset = reset_cells,
     .create = create_chain,
     .verify = verify_series,
     .finish = finish_cells},
    {.name = "listing1",
     .meaning = "Listing 1 of Yu et al.: out on --width addresses (1 a thread) in turn",
     .tasks = 100000,
     .width = -1,
     .prepare = prepare_cells,
     .reset = reset_cells,
     .create = create_series,
     .verify = verify_series,
     .finish = finish_cells},
    {.name = "fan",
     .meaning = "one writer, --width readers, the next writer, on one address",
     .tasks = 20000,
     .width = 64,
     .prepare = prepare_fan,
     .reset = reset_cells,
     .create = create_fan,
     .verify = verify_fan,
     .finish = finish_cells},
    {.name = "in3out1",
     .meaning = "three in and one out over --width addresses",
     .tasks = 5000,
     .width = 8,
     .prepare = prepare_in3out1,
     .reset = reset_cells,
     .create = create_in3out1,
     .verify = cells_are_as_expected,
     .finish = finish_cells},
    {.name = "iterators",
     .meaning = "one out and, from an iterator, --width / 8 in, over --width addresses",
     .tasks = 5000,
     .width = 64,
     .prepare = prepare_iterators,
     .reset = reset_cells,
     .create = create_iterators,
     .verify = cells_are_as_expected,
     .finish = finish_cells},
    {0}};
