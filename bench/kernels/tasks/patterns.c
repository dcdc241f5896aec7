// The patterns of Task Bench (Slaughter et al., SC'20) of which METG is taken: steps of --width tasks, each
// of which depends on some tasks of the step before. What a task makes lies in one of two rows, in turn.
#include <stdlib.h>

#include "tasks.h"

enum { kRows = 2, kNearest = 2 };  // nearest reads so far to either side: five tasks

static Cell* rows[kRows];
static uint32_t* expected;  // what the last step leaves
static long steps;

static Cell* made(long step, long x) {
  return &rows[step % kRows][x];
}

// The columns that a task reads, from first to before end.
static long first_read(long x, long radius) {
  return x > radius ? x - radius : 0;
}

static long end_of_reads(long step, long x, long radius) {
  if (step == 0) return first_read(x, radius);
  return x + radius < work.width ? x + radius + 1 : work.width;
}

// A task's result from those of the step before that lie within the radius.
static void combine(long step, long x, long radius) {
  uint32_t value = mixed((uint32_t)step, (uint32_t)x);
  const long end = end_of_reads(step, x, radius);
  for (long k = first_read(x, radius); k < end; ++k) value = mixed(value, made(step - 1, k)->value);
  made(step, x)->value = value;
}

static void run_point(long step, long x, long radius) {
  compute(work.grain);
  slots[step * work.width + x] += 1;
  combine(step, x, radius);
}

static void prepare_rows(long radius) {
  steps = (work.tasks + work.width - 1) / work.width;
  work.tasks = steps * work.width;
  prepare_slots();
  for (int r = 0; r < kRows; ++r) rows[r] = allocated(work.width, sizeof *rows[r]);
  expected = allocated(work.width, sizeof *expected);
  for (long step = 0; step < steps; ++step) {
    for (long x = 0; x < work.width; ++x) combine(step, x, radius);
  }
  for (long x = 0; x < work.width; ++x) expected[x] = made(steps - 1, x)->value;
}

static void reset_rows(void) {
  reset_slots();
  for (int r = 0; r < kRows; ++r) {
    for (long x = 0; x < work.width; ++x) rows[r][x].value = 0;
  }
}

static bool verify_rows(void) {
  for (long x = 0; x < work.width; ++x) {
    if (made(steps - 1, x)->value != expected[x]) return false;
  }
  return every_slot_is_one();
}

static void finish_rows(void) {
  finish_slots();
  for (int r = 0; r < kRows; ++r) {
    free(rows[r]);
    rows[r] = NULL;
  }
  free(expected);
  expected = NULL;
}

static void prepare_stencil(void) {
  prepare_rows(1);
}
static void prepare_nearest(void) {
  prepare_rows(kNearest);
}

static void create_stencil_point(long step, long x) {
  Cell* out = made(step, x);
  Cell* middle = made(step + 1, x);  // the other row: what the step before made
  Cell *left = middle - 1, *right = middle + 1;
  const bool has_left = step > 0 && x > 0, has_right = step > 0 && x + 1 < work.width;
  if (has_left && has_right) {
#pragma omp task firstprivate(step, x) depend(in : *left, *middle, *right) depend(out : *out)
    run_point(step, x, 1);
  } else if (has_left) {
#pragma omp task firstprivate(step, x) depend(in : *left, *middle) depend(out : *out)
    run_point(step, x, 1);
  } else if (has_right) {
#pragma omp task firstprivate(step, x) depend(in : *middle, *right) depend(out : *out)
    run_point(step, x, 1);
  } else if (step > 0) {
#pragma omp task firstprivate(step, x) depend(in : *middle) depend(out : *out)
    run_point(step, x, 1);
  } else {
#pragma omp task firstprivate(step, x) depend(out : *out)
    run_point(step, x, 1);
  }
}

static void create_stencil(void) {
  for (long step = 0; step < steps; ++step) {
    for (long x = 0; x < work.width; ++x) create_stencil_point(step, x);
  }
}

static void create_nearest(void) {
  for (long step = 0; step < steps; ++step) {
    Cell* before = made(step + 1, 0);
    for (long x = 0; x < work.width; ++x) {
      Cell* out = made(step, x);
#pragma omp task firstprivate(step, x) depend(                                                              \
        iterator(long k = first_read(x, kNearest) : end_of_reads(step, x, kNearest)), in : before[k].value) \
    depend(out : *out)
      run_point(step, x, kNearest);
    }
  }
}

static void create_trivial(void) {
  for (long i = 0; i < work.tasks; ++i) {
#pragma omp task firstprivate(i)
    {
      compute(work.grain);
      slots[i] += 1;
    }
  }
}

#define PATTERN(pattern, task_count, ns, how)                                                          \
  .tasks = task_count, .width = -4, .grain_ns = ns, .prepare = prepare_##pattern, .reset = reset_rows, \
  .create = create_##pattern, .verify = verify_rows, .finish = finish_rows, .measure = how
#define TRIVIAL(task_count, ns, how)                                                                \
  .tasks = task_count, .width = -4, .grain_ns = ns, .prepare = prepare_slots, .reset = reset_slots, \
  .create = create_trivial, .verify = every_slot_is_one, .finish = finish_slots, .measure = how

const Kernel kPatternKernels[] = {
    {.name = "stencil",
     .meaning = "Task Bench: each of --width tasks (4 a thread) reads three of the step before",
     PATTERN(stencil, 10000, 0, kTimes)},
    {.name = "nearest",
     .meaning = "Task Bench: the same with five, from an iterator",
     PATTERN(nearest, 10000, 0, kTimes)},
    {.name = "metg-stencil",
     .meaning = "METG(50 %) of stencil, in ns a task; --grain is the longest body",
     PATTERN(stencil, 4000, 50000, kSweep)},
    {.name = "metg-nearest", .meaning = "METG(50 %) of nearest", PATTERN(nearest, 4000, 50000, kSweep)},
    {.name = "metg-trivial",
     .meaning = "METG(50 %) of tasks without dependences",
     TRIVIAL(4000, 50000, kSweep)},
    {0}};
