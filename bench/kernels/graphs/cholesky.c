// Cholesky's decomposition A = L L^T of a symmetric matrix of --size rows, in place, in tiles of which
// --grain share a side. BLAS and LAPACK do the work within a tile; each call is one task.
//
// Fortran's routines know addresses only, and lengths of their texts, which come last.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "graphs.h"

extern void dpotrf_(const char* triangle, const int* n, double* a, const int* lda, int* info, size_t);
extern void dtrsm_(const char* side, const char* triangle, const char* transposed, const char* diagonal,
                   const int* m, const int* n, const double* alpha, const double* a, const int* lda,
                   double* b, const int* ldb, size_t, size_t, size_t, size_t);
extern void dsyrk_(const char* triangle, const char* transposed, const int* n, const int* k,
                   const double* alpha, const double* a, const int* lda, const double* beta, double* c,
                   const int* ldc, size_t, size_t);
extern void dgemm_(const char* a_transposed, const char* b_transposed, const int* m, const int* n,
                   const int* k, const double* alpha, const double* a, const int* lda, const double* b,
                   const int* ldb, const double* beta, double* c, const int* ldc, size_t, size_t);
// OpenBLAS alone has it: it would start threads of its own.
extern void openblas_set_num_threads(int count) __attribute__((weak));

static double *matrix, *factor;  // by columns; of the factor the lower triangle
static char* marks;              // a tile's address in dependences
static long decomposed;          // diagonal tiles, of all iterations; their tasks are in a row
static bool is_definite;
static double norm;
static const double kOne = 1, kMinusOne = -1;
// Of the residual: some units in the last place, however large the matrix is.
static const double kTolerance = 1e-15;

static long begin_of(long tile) {
  return first_of(tile, work.grain, work.size);
}

static int width(long tile) {
  return (int)(begin_of(tile + 1) - begin_of(tile));
}

// Not a power of two: columns one below the other would share the cache's sets.
static int stride(void) {
  return (int)work.size + 8;
}

static double* tile_at(long row, long column) {
  return &factor[begin_of(row) + begin_of(column) * stride()];
}

static void decompose(long k) {
  const int n = width(k), lda = stride();
  int info;
  dpotrf_("L", &n, tile_at(k, k), &lda, &info, 1);
  is_definite = is_definite && info == 0;
  ++decomposed;
}

static void solve(long k, long row) {
  const int m = width(row), n = width(k), lda = stride();
  dtrsm_("R", "L", "T", "N", &m, &n, &kOne, tile_at(k, k), &lda, tile_at(row, k), &lda, 1, 1, 1, 1);
}

static void update(long k, long row, long column) {
  const int m = width(row), n = width(column), inner = width(k), lda = stride();
  if (row == column) {
    dsyrk_("L", "N", &m, &inner, &kMinusOne, tile_at(row, k), &lda, &kOne, tile_at(row, row), &lda, 1, 1);
  } else {
    dgemm_("N", "T", &m, &n, &inner, &kMinusOne, tile_at(row, k), &lda, tile_at(column, k), &lda, &kOne,
           tile_at(row, column), &lda, 1, 1);
  }
}

static void reset_cholesky(void) {
  decomposed = 0;
  is_definite = true;
}

static void restore_cholesky(void) {
  memcpy(factor, matrix, (size_t)(work.size * stride()) * sizeof *factor);
}

// Random, and positive definite by its diagonal.
static void prepare_cholesky(void) {
  require_grain(work.size);
  if (openblas_set_num_threads != NULL) openblas_set_num_threads(1);
  work.tasks = work.grain * (work.grain + 1) * (work.grain + 2) / 6;
  matrix = allocated(work.size * stride(), sizeof *matrix);
  factor = allocated(work.size * stride(), sizeof *factor);
  marks = allocated(work.grain * work.grain, sizeof *marks);
  uint32_t state = 1;
  double squares = 0;
  for (long j = 0; j < work.size; ++j) {
    for (long i = j; i < work.size; ++i) {
      const double value = drawn(&state) + (i == j ? (double)work.size : 0);
      matrix[i + j * stride()] = matrix[j + i * stride()] = value;
      squares += (i == j ? 1 : 2) * value * value;
    }
  }
  norm = sqrt(squares);
}

static void create_cholesky(void) {
  for (long k = 0; k < work.grain; ++k) {
    char* diagonal = &marks[k * work.grain + k];
#pragma omp task firstprivate(k) depend(inout : *diagonal)
    decompose(k);
    for (long row = k + 1; row < work.grain; ++row) {
      char* solved = &marks[row * work.grain + k];
#pragma omp task firstprivate(k, row) depend(in : *diagonal) depend(inout : *solved)
      solve(k, row);
    }
    for (long row = k + 1; row < work.grain; ++row) {
      char* left = &marks[row * work.grain + k];
      for (long column = k + 1; column <= row; ++column) {
        char *right = &marks[column * work.grain + k], *updated = &marks[row * work.grain + column];
#pragma omp task firstprivate(k, row, column) depend(in : *left, *right) depend(inout : *updated)
        update(k, row, column);
      }
    }
  }
}

static void share_cholesky(void) {
  for (long k = 0; k < work.grain; ++k) {
#pragma omp single
    decompose(k);
#pragma omp for schedule(dynamic)
    for (long row = k + 1; row < work.grain; ++row) solve(k, row);
#pragma omp for collapse(2) schedule(dynamic)
    for (long row = k + 1; row < work.grain; ++row) {
      for (long column = k + 1; column < work.grain; ++column) {
        if (column <= row) update(k, row, column);
      }
    }
  }
}

// |A v - L (L^T v)| / (n |A| |v|): the residual as a vector sees it, n^2 operations in place of n^3.
static double residual(uint32_t seed) {
  const long n = work.size;
  double* v = allocated(3 * n, sizeof *v);
  double *inner = v + n, *difference = inner + n;
  double length = 0, error = 0;
  for (long i = 0; i < n; ++i) {
    v[i] = 1 + drawn(&seed);
    length += v[i] * v[i];
  }
  for (long j = 0; j < n; ++j) {
    for (long i = j; i < n; ++i) inner[j] += factor[i + j * stride()] * v[i];
    for (long i = 0; i < n; ++i) difference[i] += matrix[i + j * stride()] * v[j];
  }
  for (long j = 0; j < n; ++j) {
    for (long i = j; i < n; ++i) difference[i] -= factor[i + j * stride()] * inner[j];
  }
  for (long i = 0; i < n; ++i) error += difference[i] * difference[i];
  free(v);
  return sqrt(error) / ((double)n * norm * sqrt(length));
}

static bool verify_cholesky(void) {
  return is_definite && decomposed == work.iterations * work.grain && residual(1) <= kTolerance &&
         residual(2) <= kTolerance;
}

static void spoil_cholesky(void) {
  *tile_at(work.grain - 1, 0) += 1;
}

static void finish_cholesky(void) {
  free(matrix);
  free(factor);
  free(marks);
}

const Kernel kCholesky = {.name = "cholesky",
                          .meaning = "decomposition of a matrix of --size rows, --grain tiles a side",
                          .size = 2048,
                          .grain = 16,
                          .iterations = 5,
                          .prepare = prepare_cholesky,
                          .reset = reset_cholesky,
                          .restore = restore_cholesky,
                          .create = create_cholesky,
                          .share = share_cholesky,
                          .verify = verify_cholesky,
                          .spoil = spoil_cholesky,
                          .finish = finish_cholesky};
