// A taskloop whose iterations have dependences: the task_iteration directive of OpenMP 6.0. Sweeps over
// blocks follow each other without a barrier: a block begins as soon as its neighbours have done the sweep
// before. Neither GCC 12 nor Clang 19 know it; 'heddle cc -- gcc -fopenmp task_iteration.c' does, for every
// runtime.
#include <stdio.h>
#include <stdlib.h>

enum { kBlocks = 24, kCells = 500, kSweeps = 60 };

typedef struct {
  double cells[kCells];
} Block;

// Two generations of blocks, with one more at each end whose cells stay as they are.
static Block now[2][kBlocks + 2];

static void smooth(Block* to, const Block* from) {
  for (int i = 0; i < kCells; i++) {
    const double left = i > 0 ? from->cells[i - 1] : from[-1].cells[kCells - 1];
    const double right = i < kCells - 1 ? from->cells[i + 1] : from[1].cells[0];
    to->cells[i] = 0.25 * left + 0.5 * from->cells[i] + 0.25 * right;
  }
}

static void begin(void) {
  for (int b = 0; b < kBlocks + 2; b++)
    for (int i = 0; i < kCells; i++) now[0][b].cells[i] = now[1][b].cells[i] = (b * kCells + i) % 97;
}

static double sum(void) {
  double total = 0;
  for (int b = 1; b <= kBlocks; b++)
    for (int i = 0; i < kCells; i++) total += now[kSweeps % 2][b].cells[i] * (b + i);
  return total;
}

int main(void) {
  begin();
  for (int sweep = 0; sweep < kSweeps; sweep++)
    for (int b = 1; b <= kBlocks; b++) smooth(&now[(sweep + 1) % 2][b], &now[sweep % 2][b]);
  const double expected = sum();

  begin();
#pragma omp parallel
#pragma omp single
  for (int sweep = 0; sweep < kSweeps; sweep++) {
    Block *const from = now[sweep % 2], *const to = now[(sweep + 1) % 2];
#pragma omp taskloop nogroup num_tasks(8)
    for (int b = 1; b <= kBlocks; b++) {
#pragma omp task_iteration depend(in : from[b - 1], from[b], from[b + 1]) depend(out : to[b])
      smooth(&to[b], &from[b]);
    }
  }
  const double found = sum();
  printf("%d sweeps over %d blocks: %s\n", kSweeps, kBlocks, found == expected ? "as in turn" : "wrong");
  return found != expected;
}
