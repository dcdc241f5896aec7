// A function's variables lie elsewhere each time that it is called, where AddressSanitizer keeps those of
// functions that have returned. Prints how often the region's task and its body were executed.
#include <stdio.h>

#include "heddle.h"

static int bodies;

__attribute__((noinline)) static int count_here(void) {
  int here = 0;
#pragma omp parallel num_threads(1) shared(here)
  {
    HEDDLE_TASKGRAPH() {
      ++bodies;
#pragma omp task shared(here)
      ++here;
    }
  }
  return here;
}

int main(void) {
  int counted = 0;
  for (int round = 0; round < 8; round++) counted += count_here();
  printf("%d %d\n", counted, bodies);
  return 0;
}
