// y = a x + y on vectors of --size numbers in --grain chunks.
#include <stdlib.h>

#include "graphs.h"

static double *x, *y;
// All values are multiples of one half and small: sums are exact.
static const double kFactor = 0.5;

static double x_of(long i) {
  return (double)(i % 1024);
}

static double y_of(long i) {
  return (double)(i % 7);
}

static void add(long chunk) {
  const long end = first_of(chunk + 1, work.grain, work.size);
  for (long i = first_of(chunk, work.grain, work.size); i < end; ++i) y[i] += kFactor * x[i];
}

static void reset_axpy(void) {
  for (long i = 0; i < work.size; ++i) y[i] = y_of(i);
}

static void prepare_axpy(void) {
  require_grain(work.size);
  work.tasks = work.grain;
  x = allocated(work.size, sizeof *x);
  y = allocated(work.size, sizeof *y);
  for (long i = 0; i < work.size; ++i) x[i] = x_of(i);
}

static void create_axpy(void) {
  for (long chunk = 0; chunk < work.grain; ++chunk) {
    const long first = first_of(chunk, work.grain, work.size);
#pragma omp task firstprivate(chunk) depend(in : x[first]) depend(inout : y[first])
    add(chunk);
  }
}

static void share_axpy(void) {
#pragma omp for schedule(static)
  for (long chunk = 0; chunk < work.grain; ++chunk) add(chunk);
}

static bool verify_axpy(void) {
  for (long i = 0; i < work.size; ++i) {
    if (y[i] != y_of(i) + (double)work.iterations * kFactor * x_of(i)) return false;
  }
  return true;
}

static void spoil_axpy(void) {
  y[work.size - 1] += kFactor;
}

static void finish_axpy(void) {
  free(x);
  free(y);
}

const Kernel kAxpy = {.name = "axpy",
                      .meaning = "y = a x + y on --size numbers in --grain chunks",
                      .size = 1 << 22,
                      .grain = 256,
                      .iterations = 10,
                      .prepare = prepare_axpy,
                      .reset = reset_axpy,
                      .create = create_axpy,
                      .share = share_axpy,
                      .verify = verify_axpy,
                      .spoil = spoil_axpy,
                      .finish = finish_axpy};
