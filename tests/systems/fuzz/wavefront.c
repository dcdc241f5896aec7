// Planted: the cells of a wavefront wait for the one above and not for the one to the left.
#include <stdio.h>

enum { kSide = 6 };

int main(void) {
  long cell[kSide + 1][kSide + 1];
  for (int i = 0; i <= kSide; ++i) cell[i][0] = cell[0][i] = 1;
#pragma omp parallel
#pragma omp single
  for (int i = 1; i <= kSide; ++i)
    for (int j = 1; j <= kSide; ++j) {
      cell[i][j] = 0;
#pragma omp task shared(cell) depend(in : cell[i - 1][j]) depend(out : cell[i][j])  // PAIR PAIR
      cell[i][j] = 2 * cell[i - 1][j] + 3 * cell[i][j - 1];
    }
  printf("%ld\n", cell[kSide][kSide]);
  return 0;
}
