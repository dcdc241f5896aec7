// A stencil in time without barriers: blocks of a rod exchange heat, and a block may be several steps ahead
// of blocks far away. `depend(iterator(...))` names a number of neighbours that is known only at run time.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { kBlocks = 16, kCells = 64, kSteps = 100 };

typedef struct {
  double cell[2][kCells];  // two time levels
} Block;

static void advance(const Block* left, Block* here, const Block* right, int step) {
  const double* old = here->cell[step % 2];
  double* new = here->cell[(step + 1) % 2];
  for (int i = 0; i < kCells; ++i) {
    double before = i > 0 ? old[i - 1] : left != NULL ? left->cell[step % 2][kCells - 1] : old[i];
    double after = i < kCells - 1 ? old[i + 1] : right != NULL ? right->cell[step % 2][0] : old[i];
    new[i] = old[i] + 0.25 * (before - 2.0 * old[i] + after);
  }
}

int main(void) {
  Block* rod = calloc(kBlocks, sizeof(Block));
  rod[kBlocks / 2].cell[0][0] = 1.0;

#pragma omp parallel
#pragma omp single
  for (int step = 0; step < kSteps; ++step) {
    for (int b = 0; b < kBlocks; ++b) {
      const Block* neighbour[2];
      int count = 0;
      if (b > 0) neighbour[count++] = &rod[b - 1];
      if (b < kBlocks - 1) neighbour[count++] = &rod[b + 1];
      // A neighbour's task of the next step overwrites the level that is read here, and so waits for this
      // task.
#pragma omp task firstprivate(b, step) shared(rod)                                                          \
    depend(iterator(n = 0 : count), in : neighbour[n] -> cell[step % 2]) depend(in : rod[b].cell[step % 2]) \
    depend(out : rod[b].cell[(step + 1) % 2])
      advance(b > 0 ? &rod[b - 1] : NULL, &rod[b], b < kBlocks - 1 ? &rod[b + 1] : NULL, step);
    }
  }

  double total = 0.0, centre = rod[kBlocks / 2].cell[kSteps % 2][0];
  for (int b = 0; b < kBlocks; ++b)
    for (int i = 0; i < kCells; ++i) total += rod[b].cell[kSteps % 2][i];
  printf("heat in the rod: %.12f\n", total);
  printf("left in the middle after %d steps: %.12f\n", kSteps, centre);
  free(rod);
  return fabs(total - 1.0) < 1e-12 ? 0 : 1;
}
