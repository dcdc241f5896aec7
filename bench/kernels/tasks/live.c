// Kernels about how many tasks there are at once: what one costs among many, and how much memory it takes.
//
// A detached task, the *gate*, stays incomplete until all tasks that wait for it are created. Nothing waits
// for it in a body, so no order of execution can block.
#define _GNU_SOURCE  // RTLD_DEFAULT
#include <dlfcn.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "tasks.h"

enum { kChains = 64, kOtherChains = 61, kAllChains = kChains + kOtherChains };

static Cell gate;
static Cell chains[kAllChains];

typedef void (*Fulfill)(omp_event_handle_t);

// Looked up here: linked, the call would bind the whole program to runtimes that have GCC's version of it.
static Fulfill fulfill_event(void) {
  Fulfill found;
  void* symbol = dlsym(RTLD_DEFAULT, "omp_fulfill_event");
  memcpy(&found, &symbol, sizeof found);
  if (found == NULL) refuse("this runtime has no omp_fulfill_event");
  return found;
}

static void reset_live(void) {
  reset_slots();
  gate.value = 0;
  memset(chains, 0, sizeof chains);
}

static omp_event_handle_t no_event(void) {
  omp_event_handle_t none;
  memset(&none, 0, sizeof none);
  return none;
}

// Errors: status 2 where the runtime took no notice of the clause.
static omp_event_handle_t checked(omp_event_handle_t event) {
  const omp_event_handle_t none = no_event();
  if (memcmp(&event, &none, sizeof event) == 0) refuse("this runtime does not detach tasks");
  return event;
}

static omp_event_handle_t closed_gate(void) {
  omp_event_handle_t event = no_event();
#pragma omp task detach(event) depend(inout : gate)
  gate.value = 1;
  return checked(event);
}

static omp_event_handle_t closed_gate_of_chains(void) {
  omp_event_handle_t event = no_event();
#pragma omp task detach(event) depend(iterator(int c = 0 : kAllChains), inout : chains[c])
  for (int c = 0; c < kAllChains; ++c) chains[c].value = 1;
  return checked(event);
}

// Every task waits for the one before, the first of them for the gate.
static void create_live_chain(void) {
  const Fulfill fulfill = fulfill_event();
  const omp_event_handle_t event = closed_gate();
  for (long i = 0; i < work.tasks; ++i) {
#pragma omp task firstprivate(i) depend(inout : gate)
    {
      compute(work.grain);
      slots[i] = ++gate.value;
    }
  }
  fulfill(event);
}

static bool verify_live_chain(void) {
  for (long i = 0; i < work.tasks; ++i) {
    if (slots[i] != (uint32_t)i + 2) return false;
  }
  return true;
}

// Every task waits for the gate alone.
static void create_live_fan(void) {
  const Fulfill fulfill = fulfill_event();
  const omp_event_handle_t event = closed_gate();
  for (long i = 0; i < work.tasks; ++i) {
#pragma omp task firstprivate(i) depend(in : gate)
    {
      compute(work.grain);
      slots[i] = gate.value;
    }
  }
  fulfill(event);
}

// Two dependences and 32 bytes of data each. Every task is in two chains, both held by the gate: so many
// readers of one address would cost some runtimes time in their square.
static void create_memory(void) {
  const Fulfill fulfill = fulfill_event();
  const omp_event_handle_t event = closed_gate_of_chains();
  const long before = resident_bytes();
  for (long i = 0; i < work.tasks; ++i) {
    Cell *one = &chains[i % kChains], *other = &chains[kChains + i % kOtherChains];
    const long twin = ~i;
#pragma omp task firstprivate(i, twin, one, other) depend(inout : *one, *other)
    {
      const bool in_turn =
          ++one->value == (uint32_t)(i / kChains + 2) && ++other->value == (uint32_t)(i / kOtherChains + 2);
      slots[i] = in_turn && twin == ~i;
    }
  }
  note_memory((double)(resident_bytes() - before) / (double)work.tasks);
  fulfill(event);
}

// A loop that creates without end, as far as memory is concerned. Each thread counts what it runs.
static Cell* counts;

static void prepare_flood(void) {
  counts = allocated(work.threads, sizeof *counts);
}

static void reset_flood(void) {
  memset(counts, 0, (size_t)work.threads * sizeof *counts);
}

static void create_flood(void) {
  for (long i = 0; i < work.tasks; ++i) {
#pragma omp task
    {
      compute(work.grain);
      counts[omp_get_thread_num()].value += 1;
    }
  }
}

// The same with a dependence, in chains.
static void create_flood_chains(void) {
  for (long i = 0; i < work.tasks; ++i) {
    Cell* chain = &chains[i % kChains];
#pragma omp task depend(inout : *chain)
    {
      compute(work.grain);
      counts[omp_get_thread_num()].value += 1;
    }
  }
}

static bool verify_flood(void) {
  uint32_t sum = 0;
  for (int t = 0; t < work.threads; ++t) sum += counts[t].value;
  return sum == (uint32_t)work.tasks;
}

static void finish_flood(void) {
  free(counts);
  counts = NULL;
}

const Kernel kLiveKernels[] = {
    {.name = "live-chain",
     .meaning = "a chain whose first task ends when all --tasks are created",
     .tasks = 100000,
     .prepare = prepare_slots,
     .reset = reset_live,
     .create = create_live_chain,
     .verify = verify_live_chain,
     .finish = finish_slots},
    {.name = "live-fan",
     .meaning = "--tasks tasks that all wait for one",
     .tasks = 100000,
     .prepare = prepare_slots,
     .reset = reset_live,
     .create = create_live_fan,
     .verify = every_slot_is_one,
     .finish = finish_slots},
    {.name = "memory",
     .meaning = "bytes a blocked task with two dependences and 32 bytes of data",
     .tasks = 200000,
     .prepare = prepare_slots,
     .reset = reset_live,
     .create = create_memory,
     .verify = every_slot_is_one,
     .finish = finish_slots,
     .measure = kBytes},
    {.name = "flood",
     .meaning = "one loop creates 100 million tasks: how much memory they take at most",
     .tasks = 100000000,
     .prepare = prepare_flood,
     .reset = reset_flood,
     .create = create_flood,
     .verify = verify_flood,
     .finish = finish_flood,
     .measure = kOnce},
    {.name = "flood-chains",
     .meaning = "the same in 64 chains",
     .tasks = 100000000,
     .prepare = prepare_flood,
     .reset = reset_flood,
     .create = create_flood_chains,
     .verify = verify_flood,
     .finish = finish_flood,
     .measure = kOnce},
    {0}};
