// Conjugate gradients for a five-point equation on --size squared points, as NAS's CG goes about it: an
// iteration is a matrix-vector product, two dot products and three vector updates. Its tasks come from
// taskloops over --grain chunks of points. A chunk's part of a dot product is kept; a task adds them in
// order.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "graphs.h"

// One number a point, with a border of zeros above and below.
static double *right_side, *solution, *residual, *direction, *product, *expected;
static double* partials;
static double squares, alpha, beta;

static long first_point(long chunk) {
  return first_of(chunk, work.grain, work.size * work.size) + work.size;
}

// A's row of a point. 4.5 on the diagonal where Poisson's equation has 4, so that rounding does not grow.
static double apply(const double* v, long point, long column) {
  const double left = column > 0 ? v[point - 1] : 0, right = column + 1 < work.size ? v[point + 1] : 0;
  return 4.5 * v[point] - (v[point - work.size] + left + right + v[point + work.size]);
}

static void multiply(long chunk) {
  double sum = 0;
  long column = first_point(chunk) % work.size;
  for (long p = first_point(chunk); p < first_point(chunk + 1); ++p) {
    product[p] = apply(direction, p, column);
    column = column + 1 < work.size ? column + 1 : 0;
    sum += direction[p] * product[p];
  }
  partials[chunk] = sum;
}

static double sum_of_partials(void) {
  double sum = 0;
  for (long chunk = 0; chunk < work.grain; ++chunk) sum += partials[chunk];
  return sum;
}

static void set_alpha(void) {
  const double curvature = sum_of_partials();
  alpha = curvature > 0 ? squares / curvature : 0;
}

static void advance(long chunk) {
  double sum = 0;
  for (long p = first_point(chunk); p < first_point(chunk + 1); ++p) {
    solution[p] += alpha * direction[p];
    residual[p] -= alpha * product[p];
    sum += residual[p] * residual[p];
  }
  partials[chunk] = sum;
}

static void set_beta(void) {
  const double before = squares;
  squares = sum_of_partials();
  beta = before > 0 ? squares / before : 0;
}

static void turn(long chunk) {
  for (long p = first_point(chunk); p < first_point(chunk + 1); ++p)
    direction[p] = residual[p] + beta * direction[p];
}

static size_t vector_bytes(void) {
  return (size_t)((work.size + 2) * work.size) * sizeof(double);
}

static void reset_cg(void) {
  memset(solution, 0, vector_bytes());
  memcpy(residual, right_side, vector_bytes());
  memcpy(direction, right_side, vector_bytes());
  squares = 0;
  for (long p = first_point(0); p < first_point(work.grain); ++p) squares += residual[p] * residual[p];
}

static void iterate_serially(void) {
  for (long chunk = 0; chunk < work.grain; ++chunk) multiply(chunk);
  set_alpha();
  for (long chunk = 0; chunk < work.grain; ++chunk) advance(chunk);
  set_beta();
  for (long chunk = 0; chunk < work.grain; ++chunk) turn(chunk);
}

static void prepare_cg(void) {
  require_grain(work.size * work.size);
  work.tasks = 3 * work.grain + 2;
  double** const vectors[] = {&right_side, &solution, &residual, &direction, &product, &expected};
  for (size_t v = 0; v < sizeof vectors / sizeof *vectors; ++v)
    *vectors[v] = allocated(1, (long)vector_bytes());
  partials = allocated(work.grain, sizeof *partials);
  uint32_t state = 1;
  for (long p = first_point(0); p < first_point(work.grain); ++p) right_side[p] = drawn(&state) - 0.5;
  reset_cg();
  for (long i = 0; i < work.iterations; ++i) iterate_serially();
  memcpy(expected, solution, vector_bytes());
}

// The scalars are a task's as well: a record holds nothing but tasks.
static void create_cg(void) {
  const uint64_t chunks =
      (uint64_t)work.grain;  // unsigned: Clang compares it with an unsigned of its own, and warns
#pragma omp taskloop grainsize(1)
  for (uint64_t chunk = 0; chunk < chunks; ++chunk) multiply((long)chunk);
#pragma omp task
  set_alpha();
#pragma omp taskwait
#pragma omp taskloop grainsize(1)
  for (uint64_t chunk = 0; chunk < chunks; ++chunk) advance((long)chunk);
#pragma omp task
  set_beta();
#pragma omp taskwait
#pragma omp taskloop grainsize(1)
  for (uint64_t chunk = 0; chunk < chunks; ++chunk) turn((long)chunk);
}

static void share_cg(void) {
#pragma omp for schedule(static)
  for (long chunk = 0; chunk < work.grain; ++chunk) multiply(chunk);
#pragma omp single
  set_alpha();
#pragma omp for schedule(static)
  for (long chunk = 0; chunk < work.grain; ++chunk) advance(chunk);
#pragma omp single
  set_beta();
#pragma omp for schedule(static)
  for (long chunk = 0; chunk < work.grain; ++chunk) turn(chunk);
}

// Bitwise what the chunks in a row give; and the solution solves the equation but for the residual, by
// rounding.
static bool verify_cg(void) {
  if (memcmp(solution, expected, vector_bytes()) != 0) return false;
  for (long p = first_point(0); p < first_point(work.grain); ++p) {
    if (!(fabs(right_side[p] - apply(solution, p, p % work.size) - residual[p]) <= 1e-12)) return false;
  }
  return true;
}

static void spoil_cg(void) {
  solution[first_point(0)] += 1e-9;
}

static void finish_cg(void) {
  double* const vectors[] = {right_side, solution, residual, direction, product, expected, partials};
  for (size_t v = 0; v < sizeof vectors / sizeof *vectors; ++v) free(vectors[v]);
}

const Kernel kCg = {
    .name = "cg",
    .meaning = "conjugate gradients on --size squared points, taskloops over --grain chunks of points",
    .size = 1024,
    .grain = 64,
    .iterations = 15,
    .prepare = prepare_cg,
    .reset = reset_cg,
    .create = create_cg,
    .share = share_cg,
    .verify = verify_cg,
    .spoil = spoil_cg,
    .finish = finish_cg};
