// Heat in a rod, in blocks of cells: every clause of the taskgraph construct of OpenMP 6.0, spelled as the
// standard has it. No compiler knows the directive; 'heddle cc -- gcc -fopenmp taskgraph_clauses.c' does.
#include <stdio.h>

enum { kCells = 4096, kSteps = 60, kFirstLong = 2, kCutAnew = 30 };

static double rod[2][kCells + 2];
static int recordings;

static void relax(const double* from, double* to, int begin, int end) {
  for (int i = begin; i < end; i++) to[i] = 0.25 * from[i - 1] + 0.5 * from[i] + 0.25 * from[i + 1];
}

// Returns whether the step's tasks were created, and not taken from a record.
static int step(int t, int blocks, int is_cut_anew) {
  double *from = rod[t % 2], *to = rod[(t + 1) % 2];
  int has_created = 0;

  // graph_id: even and odd steps work on different arrays, so each kind has a record of its own.
  // graph_reset: the blocks have changed; forget the record and make another.
  // if: a single block is not worth a record.
  // nogroup: the region does not wait for its tasks. This thread could do something else meanwhile.
#pragma omp taskgraph graph_id(t % 2) graph_reset(is_cut_anew) if (taskgraph : blocks > 1) nogroup
  {
    has_created = 1;
    // replayable: this task is executed here, and no record has it.
#pragma omp task replayable(0)
#pragma omp atomic
    recordings++;
    for (int b = 0; b < blocks; b++) {
      const int begin = 1 + b * kCells / blocks, end = 1 + (b + 1) * kCells / blocks;
      // saved, and replayable without an argument: the record has the task and these values. That is the
      // default here.
#pragma omp task firstprivate(saved : from, to, begin, end) replayable
      relax(from, to, begin, end);
    }
  }
#pragma omp taskwait
  return has_created;
}

static void reset(void) {
  for (int i = 0; i < kCells + 2; i++) rod[0][i] = rod[1][i] = i == 0 ? 100.0 : 0.0;
}

static double sum(void) {
  double total = 0;
  for (int i = 0; i < kCells + 2; i++) total += rod[kSteps % 2][i];
  return total;
}

int main(void) {
  reset();
  for (int t = 0; t < kSteps; t++) relax(rod[t % 2], rod[(t + 1) % 2], 1, kCells + 1);
  const double expected = sum();

  reset();
  int created = 0;
#pragma omp parallel
#pragma omp single
  for (int t = 0; t < kSteps; t++) {
    const int blocks = t < kFirstLong ? 1 : t < kCutAnew ? 8 : 16;
    // Each of the two records has to be made again.
    created += step(t, blocks, t == kCutAnew || t == kCutAnew + 1);
  }
  printf("after %d steps the sum is %s\n", kSteps, sum() == expected ? "right" : "wrong");
  printf("%d of the steps created their tasks: two of one block, two to record, two to record anew\n",
         created);
  printf("what is not replayable was executed in %d\n", recordings);
  return 0;
}
