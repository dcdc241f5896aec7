// Cholesky's factorisation of a matrix of tiles. Which tasks there are, and what each depends on, follows
// from the number of tiles, which is known when it is compiled: 'heddle cc -- clang-19 -O2 …' makes the
// graph, and nothing is recorded.
//
//     cholesky [n [times]]     prints a checksum; with `times` also microseconds of the first of n, and of
//     the others
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "warm.h"

enum { kTiles = 12, kEdge = 24, kSize = kTiles * kEdge };
typedef double Tile[kEdge][kEdge];

static Tile matrix[kTiles][kTiles], original[kTiles][kTiles];

static void factor(Tile a) {
  for (int k = 0; k < kEdge; ++k) {
    a[k][k] = sqrt(a[k][k]);
    for (int i = k + 1; i < kEdge; ++i) a[i][k] /= a[k][k];
    for (int j = k + 1; j < kEdge; ++j)
      for (int i = j; i < kEdge; ++i) a[i][j] -= a[i][k] * a[j][k];
  }
}

static void solve(Tile l, Tile a) {
  for (int k = 0; k < kEdge; ++k)
    for (int i = 0; i < kEdge; ++i) {
      a[i][k] /= l[k][k];
      for (int j = k + 1; j < kEdge; ++j) a[i][j] -= a[i][k] * l[j][k];
    }
}

static void update(Tile a, Tile b, Tile c) {
  for (int i = 0; i < kEdge; ++i)
    for (int j = 0; j < kEdge; ++j)
      for (int k = 0; k < kEdge; ++k) c[i][j] -= a[i][k] * b[j][k];
}

static void factorise(void) {
#pragma omp taskgraph
  for (int k = 0; k < kTiles; ++k) {
#pragma omp task depend(inout : matrix[k][k])
    factor(matrix[k][k]);
    for (int i = k + 1; i < kTiles; ++i)
#pragma omp task depend(in : matrix[k][k]) depend(inout : matrix[i][k])
      solve(matrix[k][k], matrix[i][k]);
    for (int i = k + 1; i < kTiles; ++i)
      for (int j = k + 1; j <= i; ++j)
#pragma omp task depend(in : matrix[i][k], matrix[j][k]) depend(inout : matrix[i][j])
        update(matrix[i][k], matrix[j][k], matrix[i][j]);
  }
}

int main(int argc, char** argv) {
  const int n = argc > 1 ? atoi(argv[1]) : 5;
  if (n < 1) {
    fprintf(stderr, "usage: cholesky [n [times]], n 1 or more\n");
    return 2;
  }
  for (int i = 0; i < kSize; ++i)
    for (int j = 0; j < kSize; ++j)
      original[i / kEdge][j / kEdge][i % kEdge][j % kEdge] = i == j ? kSize : 1.0 / (1 + abs(i - j));
  Times times = {0, 0};
#pragma omp parallel
  {
    warm_up();
#pragma omp single
    {
      for (int t = 0; t < n; ++t) {
        memcpy(matrix, original, sizeof matrix);
        const double began = omp_get_wtime();
        factorise();
        count(&times, t, n, omp_get_wtime() - began);
      }
    }
  }
  double sum = 0;
  for (int i = 0; i < kSize; ++i)
    for (int j = 0; j <= i; ++j) sum += matrix[i / kEdge][j / kEdge][i % kEdge][j % kEdge];
  printf("cholesky: %.12g\n", sum);
  if (argc > 2) print_times(times);
  return 0;
}
