// A Gauss-Seidel sweep over blocks, recorded once and then executed from the record: the same tasks with the
// same dependences in every iteration. On other runtimes, or without the header's macro, it is the same
// program with plain tasks.
#include <stdio.h>

#include "heddle.h"

enum { kBlocks = 32, kSide = 16, kCells = kBlocks * kSide + 2, kIterations = 50 };

static double grid[kCells][kCells];

static void heat(double (*u)[kCells], int block_i, int block_j) {
  for (int i = block_i * kSide + 1; i <= (block_i + 1) * kSide; i++)
    for (int j = block_j * kSide + 1; j <= (block_j + 1) * kSide; j++)
      u[i][j] = 0.25 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]);
}

static void reset(void) {
  for (int i = 0; i < kCells; i++)
    for (int j = 0; j < kCells; j++) grid[i][j] = i == 0 ? 100.0 : 0.0;
}

static double sum(void) {
  double total = 0;
  for (int i = 0; i < kCells; i++)
    for (int j = 0; j < kCells; j++) total += grid[i][j];
  return total;
}

int main(void) {
  reset();
  for (int t = 0; t < kIterations; t++)
    for (int i = 0; i < kBlocks; i++)
      for (int j = 0; j < kBlocks; j++) heat(grid, i, j);
  const double expected = sum();

  reset();
  int times_created = 0;
  char done[kBlocks + 1][kBlocks + 1];  // addresses to depend on
#pragma omp parallel
#pragma omp single
  for (int t = 0; t < kIterations; t++) {
    HEDDLE_TASKGRAPH() {
      times_created++;
      for (int i = 0; i < kBlocks; i++) {
        for (int j = 0; j < kBlocks; j++) {
          const char *above = &done[i][j + 1], *left = &done[i + 1][j], *here = &done[i + 1][j + 1];
#pragma omp task depend(in : *above, *left) depend(out : *here)
          heat(grid, i, j);
        }
      }
    }
  }
  printf("after %d sweeps the sum is %s\n", kIterations, sum() == expected ? "right" : "wrong");
  printf("the tasks of a sweep were created %s\n", !heddle_is_here()
                                                       ? "every time, by a runtime without taskgraphs"
                                                   : times_created == 1 ? "once"
                                                                        : "again");
  return 0;
}
