// Two hundred thousand small tasks of one generator, and as many of all threads, are each executed once.
// OpenMP 5.1, 2.12.1 task construct; 2.12.6 task scheduling.
#include <omp.h>

#include "check.h"

enum { kTasks = 200000 };
static unsigned char runs[kTasks];

int main(void) {
#pragma omp parallel
  {
#pragma omp single
    for (int i = 0; i < kTasks; i++) {
#pragma omp task
      runs[i]++;
    }
#pragma omp for schedule(static) nowait
    for (int i = 0; i < kTasks; i++) {
#pragma omp task
      runs[i]++;
    }
  }
  for (int i = 0; i < kTasks; i++) CHECK(runs[i] == 2);
  return 0;
}
