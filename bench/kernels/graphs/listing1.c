// Listing 1 of the paper: tasks that do next to nothing, each inout on one of as many addresses as threads,
// in turn.
#include <stdlib.h>

#include "graphs.h"

static Cell* cells;
static uint32_t* expected;

static void run(long task) {
  Cell* cell = &cells[task % work.threads];
  // Each task and the order of two matter.
  cell->value = mixed(cell->value, (uint32_t)task);
}

static void reset_listing1(void) {
  for (int c = 0; c < work.threads; ++c) cells[c].value = 0;
}

static void prepare_listing1(void) {
  work.tasks = work.grain;
  cells = allocated(work.threads, sizeof *cells);
  expected = allocated(work.threads, sizeof *expected);
  for (long i = 0; i < work.iterations; ++i) {
    for (long task = 0; task < work.grain; ++task) run(task);
  }
  for (int c = 0; c < work.threads; ++c) expected[c] = cells[c].value;
}

static void create_listing1(void) {
  for (long task = 0; task < work.grain; ++task) {
    Cell* cell = &cells[task % work.threads];
#pragma omp task firstprivate(task) depend(inout : *cell)
    run(task);
  }
}

static void share_listing1(void) {
#pragma omp for schedule(static, 1)
  for (int c = 0; c < work.threads; ++c) {
    for (long task = c; task < work.grain; task += work.threads) run(task);
  }
}

static bool verify_listing1(void) {
  for (int c = 0; c < work.threads; ++c) {
    if (cells[c].value != expected[c]) return false;
  }
  return true;
}

static void spoil_listing1(void) {
  cells[0].value += 1;
}

static void finish_listing1(void) {
  free(cells);
  free(expected);
}

const Kernel kListing1 = {
    .name = "listing1",
    .meaning = "--grain empty tasks, inout on one of as many addresses as threads, in turn",
    .size = 1,
    .grain = 10000,
    .iterations = 20,
    .prepare = prepare_listing1,
    .reset = reset_listing1,
    .create = create_listing1,
    .share = share_listing1,
    .verify = verify_listing1,
    .spoil = spoil_listing1,
    .finish = finish_listing1};
