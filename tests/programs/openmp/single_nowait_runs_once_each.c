// Each of many single regions is executed by exactly one thread, with nowait as without.
// OpenMP 5.1, 2.10.2 single construct.
#include <omp.h>

#include "check.h"

enum { kRegions = 2000 };
static int runs[kRegions];

int main(void) {
#pragma omp parallel
  for (int i = 0; i < kRegions; i++) {
#pragma omp single nowait
    {
#pragma omp atomic
      runs[i]++;
    }
  }
  for (int i = 0; i < kRegions; i++) CHECK(runs[i] == 1);

  int value = 0;
#pragma omp parallel
  for (int i = 1; i <= 200; i++) {
#pragma omp single
    value++;
    CHECK(value == i);
#pragma omp barrier
  }
  CHECK(value == 200);
  return 0;
}
