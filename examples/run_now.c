// A task that is wanted earlier than thought: whoever needs its result starts it at once, unless somebody
// has.
#include <stdio.h>

#include "heddle.h"

enum { kBlocks = 64 };

static long compressed[kBlocks];

static long compress(int block) {
  long sum = 0;
  for (long i = 0; i < 1000; i++) sum += (i ^ block) % 7;
  return sum;
}

int main(void) {
  static heddle_task_t task[kBlocks];
  long wanted_early = 0;
#pragma omp parallel
#pragma omp single
  {
    for (int b = 0; b < kBlocks; b++) {
      if (heddle_is_here()) heddle_next_task_handle(&task[b]);
#pragma omp task firstprivate(b) depend(out : compressed[b])
      compressed[b] = compress(b);
    }
    // A neighbour asks for every eighth block now.
    for (int b = 0; b < kBlocks; b += 8) {
      if (heddle_is_here()) heddle_run_task(&task[b]);
#pragma omp taskwait depend( \
        in : compressed[b])  // where another thread has started it, that one is waited for
      wanted_early += compressed[b];
    }
#pragma omp taskwait
    for (int b = 0; b < kBlocks && heddle_is_here(); b++) heddle_free_task(&task[b]);
  }
  long sum = 0;
  for (int b = 0; b < kBlocks; b++) sum += compressed[b];
  printf("early %ld, all %ld\n", wanted_early, sum);
  return 0;
}
