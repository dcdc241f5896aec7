// A grid of tasks where each depends on its upper and left neighbours computes what the nested loops compute.
// OpenMP 5.1, 2.19.11 depend clause.
#include <omp.h>

#include "check.h"

enum { kSide = 60, kSweeps = 3 };
static unsigned grid[kSide + 1][kSide + 1];
static unsigned wanted[kSide + 1][kSide + 1];

static void reset(unsigned (*cells)[kSide + 1]) {
  for (int i = 0; i <= kSide; i++) {
    for (int j = 0; j <= kSide; j++) cells[i][j] = (unsigned)(i * 7 + j);
  }
}

int main(void) {
  reset(grid);
  reset(wanted);
  for (int sweep = 0; sweep < kSweeps; sweep++) {
    for (int i = 1; i <= kSide; i++) {
      for (int j = 1; j <= kSide; j++) {
        wanted[i][j] = wanted[i][j] * 3u + wanted[i - 1][j] * 5u + wanted[i][j - 1] * 7u + 1u;
      }
    }
  }
  for (int round = 0; round < 3; round++) {
    reset(grid);
#pragma omp parallel
#pragma omp single
    for (int sweep = 0; sweep < kSweeps; sweep++) {
      for (int i = 1; i <= kSide; i++) {
        for (int j = 1; j <= kSide; j++) {
#pragma omp task depend(in : grid[i - 1][j], grid[i][j - 1]) depend(inout : grid[i][j])
          grid[i][j] = grid[i][j] * 3u + grid[i - 1][j] * 5u + grid[i][j - 1] * 7u + 1u;
        }
      }
    }
    for (int i = 0; i <= kSide; i++) {
      for (int j = 0; j <= kSide; j++) CHECK(grid[i][j] == wanted[i][j]);
    }
  }
  return 0;
}
