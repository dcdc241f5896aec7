// Gauss-Seidel sweeps over a plate, block by block. Its size is known when it is compiled, and so are the
// tasks of a sweep and what they depend on: 'heddle cc -- clang-19 -O2 …' makes their graph, and nothing is
// recorded.
//
//     heat [sweeps [times]]     prints a checksum; with `times` also microseconds of the first sweep, and of
//     the others
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "warm.h"

enum { kBlocks = 16, kEdge = 32, kSize = kBlocks * kEdge };

static double plate[kSize + 2][kSize + 2];
static char block[kBlocks + 1][kBlocks + 1];  // what dependences name; the first row and column are nobody's

static void sweep_block(int row, int column) {
  for (int i = row * kEdge + 1; i <= (row + 1) * kEdge; ++i)
    for (int j = column * kEdge + 1; j <= (column + 1) * kEdge; ++j)
      plate[i][j] = 0.25 * (plate[i - 1][j] + plate[i + 1][j] + plate[i][j - 1] + plate[i][j + 1]);
}

static void sweep(void) {
#pragma omp taskgraph
  for (int i = 0; i < kBlocks; ++i)
    for (int j = 0; j < kBlocks; ++j)
#pragma omp task depend(in : block[i][j + 1], block[i + 1][j]) depend(out : block[i + 1][j + 1])
      sweep_block(i, j);
}

int main(int argc, char** argv) {
  const int sweeps = argc > 1 ? atoi(argv[1]) : 20;
  if (sweeps < 1) {
    fprintf(stderr, "usage: heat [sweeps [times]], 1 or more sweeps\n");
    return 2;
  }
  for (int i = 0; i < kBlocks; ++i)
    for (int j = 0; j < kBlocks; ++j) sweep_block(i, j);
  memset(plate, 0, sizeof plate);
  for (int j = 0; j < kSize + 2; ++j) plate[0][j] = 1;
  Times times = {0, 0};
#pragma omp parallel
  {
    warm_up();
#pragma omp single
    {
      for (int s = 0; s < sweeps; ++s) {
        const double began = omp_get_wtime();
        sweep();
        count(&times, s, sweeps, omp_get_wtime() - began);
      }
    }
  }
  double sum = 0;
  for (int i = 1; i <= kSize; ++i)
    for (int j = 1; j <= kSize; ++j) sum += plate[i][j];
  printf("heat: %.12g\n", sum);
  if (argc > 2) print_times(times);
  return 0;
}
