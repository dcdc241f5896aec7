// Heat in a square plate by the method of Gauss and Seidel: an iteration sweeps once over --size squared
// points, in --grain squared blocks. A block comes after its upper and its left neighbour.
#include <stdlib.h>
#include <string.h>

#include "graphs.h"

static double *points, *expected;  // with a border of one, which stays
static char* marks;  // a block's address in dependences; with a row and a column before the first

static long stride(void) {
  return work.size + 2;
}

static char* mark(long row, long column) {
  return &marks[(row + 1) * (work.grain + 1) + column + 1];
}

// Points of the inside, counted from 0; up to before end.
static void relax(double* plate, long row, long row_end, long column, long column_end) {
  for (long i = row + 1; i < row_end + 1; ++i) {
    double *up = &plate[(i - 1) * stride()], *self = up + stride(), *down = self + stride();
    for (long j = column + 1; j < column_end + 1; ++j) {
      self[j] = 0.25 * (up[j] + self[j - 1] + self[j + 1] + down[j]);
    }
  }
}

static void relax_block(long row, long column) {
  relax(points, first_of(row, work.grain, work.size), first_of(row + 1, work.grain, work.size),
        first_of(column, work.grain, work.size), first_of(column + 1, work.grain, work.size));
}

// Nowhere near zero: denormal numbers would make some blocks slower than others.
static void fill(double* plate) {
  for (long i = 0; i < stride(); ++i) {
    for (long j = 0; j < stride(); ++j) plate[i * stride() + j] = 1 + (double)((7 * i + 13 * j) % 17) / 16;
  }
}

static void reset_heat(void) {
  fill(points);
}

static void prepare_heat(void) {
  require_grain(work.size);
  work.tasks = work.grain * work.grain;
  points = allocated(stride() * stride(), sizeof *points);
  expected = allocated(stride() * stride(), sizeof *expected);
  marks = allocated((work.grain + 1) * (work.grain + 1), sizeof *marks);
  fill(expected);
  for (long i = 0; i < work.iterations; ++i) relax(expected, 0, work.size, 0, work.size);
}

// The right and the lower neighbour of the sweep before read this block, so that inout waits for them as
// well.
static void create_heat(void) {
  for (long row = 0; row < work.grain; ++row) {
    for (long column = 0; column < work.grain; ++column) {
      char *self = mark(row, column), *up = mark(row - 1, column), *left = mark(row, column - 1);
#pragma omp task firstprivate(row, column) depend(in : *up, *left) depend(inout : *self)
      relax_block(row, column);
    }
  }
}

static void share_heat(void) {
  for (long diagonal = 0; diagonal < 2 * work.grain - 1; ++diagonal) {
    const long first = diagonal < work.grain ? 0 : diagonal - work.grain + 1;
    const long last = diagonal < work.grain ? diagonal : work.grain - 1;
#pragma omp for schedule(static)
    for (long row = first; row <= last; ++row) relax_block(row, diagonal - row);
  }
}

static bool verify_heat(void) {
  return memcmp(points, expected, (size_t)(stride() * stride()) * sizeof *points) == 0;
}

static void spoil_heat(void) {
  points[stride() + 1] += 1e-9;
}

static void finish_heat(void) {
  free(points);
  free(expected);
  free(marks);
}

const Kernel kHeat = {.name = "heat",
                      .meaning = "Gauss-Seidel on --size squared points in --grain squared blocks",
                      .size = 2048,
                      .grain = 32,
                      .iterations = 10,
                      .prepare = prepare_heat,
                      .reset = reset_heat,
                      .create = create_heat,
                      .share = share_heat,
                      .verify = verify_heat,
                      .spoil = spoil_heat,
                      .finish = finish_heat,
                      .counts_rows = true};

const Kernel kHeatPipelined = {.name = "heat-pipelined",
                               .meaning = "the same; a sweep begins before the one before it has ended",
                               .size = 2048,
                               .grain = 32,
                               .iterations = 10,
                               .prepare = prepare_heat,
                               .reset = reset_heat,
                               .create = create_heat,
                               .share = share_heat,
                               .verify = verify_heat,
                               .spoil = spoil_heat,
                               .finish = finish_heat,
                               .is_pipelined = true,
                               .counts_rows = true};
