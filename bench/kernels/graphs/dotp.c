// The dot product of two vectors of --size numbers in --grain chunks. A task that depends on all chunks
// adds their sums in order, so that the result does not depend on who was first.
#include <stdlib.h>

#include "graphs.h"

static double *x, *y;
static double* partials;  // a chunk's sum
static double* sums;      // an iteration's
static long done;         // iterations; only the last task of each changes it
static double expected;

static double sum_of(long chunk) {
  const long end = first_of(chunk + 1, work.grain, work.size);
  double sum = 0;
  for (long i = first_of(chunk, work.grain, work.size); i < end; ++i) sum += x[i] * y[i];
  return sum;
}

static void multiply(long chunk) {
  partials[chunk] = sum_of(chunk);
}

static void combine(void) {
  double sum = 0;
  for (long chunk = 0; chunk < work.grain; ++chunk) sum += partials[chunk];
  if (done < work.iterations) sums[done] = sum;
  ++done;
}

static void reset_dotp(void) {
  done = 0;
  for (long chunk = 0; chunk < work.grain; ++chunk) partials[chunk] = 0;
}

static void prepare_dotp(void) {
  require_grain(work.size);
  work.tasks = work.grain + 1;
  x = allocated(work.size, sizeof *x);
  y = allocated(work.size, sizeof *y);
  partials = allocated(work.grain, sizeof *partials);
  sums = allocated(work.iterations, sizeof *sums);
  uint32_t state = 1;
  for (long i = 0; i < work.size; ++i) {
    x[i] = drawn(&state);
    y[i] = drawn(&state);
  }
  expected = 0;
  for (long chunk = 0; chunk < work.grain; ++chunk) expected += sum_of(chunk);
}

// Between two iterations a sum of the one before must not be found again.
static void restore_dotp(void) {
  for (long chunk = 0; chunk < work.grain; ++chunk) partials[chunk] = 0;
}

static void create_dotp(void) {
  for (long chunk = 0; chunk < work.grain; ++chunk) {
#pragma omp task firstprivate(chunk) depend(out : partials[chunk])
    multiply(chunk);
  }
#pragma omp task depend(iterator(long chunk = 0 : work.grain), in : partials[chunk])
  combine();
}

static void share_dotp(void) {
#pragma omp for schedule(static)
  for (long chunk = 0; chunk < work.grain; ++chunk) multiply(chunk);
#pragma omp single
  combine();
}

static bool verify_dotp(void) {
  for (long i = 0; i < work.iterations; ++i) {
    if (sums[i] != expected) return false;
  }
  return done == work.iterations;
}

static void spoil_dotp(void) {
  sums[work.iterations - 1] += 1e-6;
}

static void finish_dotp(void) {
  free(x);
  free(y);
  free(partials);
  free(sums);
}

const Kernel kDotp = {
    .name = "dotp",
    .meaning = "dot product of --size numbers in --grain chunks, and a task that adds their sums",
    .size = 1 << 22,
    .grain = 256,
    .iterations = 10,
    .prepare = prepare_dotp,
    .reset = reset_dotp,
    .restore = restore_dotp,
    .create = create_dotp,
    .share = share_dotp,
    .verify = verify_dotp,
    .spoil = spoil_dotp,
    .finish = finish_dotp};
