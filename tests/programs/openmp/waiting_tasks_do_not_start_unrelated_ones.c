// A thread whose tied task waits in taskwait, taskgroup or taskyield starts only tied tasks that descend from
// that task: an unrelated one would ask for the lock that the waiting task holds, and never get it.
// OpenMP 5.1, 2.12.6 task scheduling, task scheduling constraint 2.
#include <omp.h>

#include "check.h"

static int grow(int depth) {
  if (depth == 0) return 1;
  int left = 0;
  int right = 0;
#pragma omp task shared(left)
  left = grow(depth - 1);
#pragma omp task shared(right)
  right = grow(depth - 1);
#pragma omp taskwait
  return left + right;
}

int main(void) {
  omp_lock_t lock;
  omp_init_lock(&lock);
  int holders = 0;
  for (int round = 0; round < 10; round++) {
#pragma omp parallel shared(lock, holders)
#pragma omp for
    for (int i = 0; i < 60; i++) {
#pragma omp task shared(lock, holders)
      {
        omp_set_lock(&lock);
        holders++;
        CHECK(holders == 1);
        if (i % 3 == 0) {
          CHECK(grow(5) == 32);
        } else if (i % 3 == 1) {
          int sum = 0;
#pragma omp taskgroup
          {
#pragma omp task shared(sum)
            sum = grow(4);
          }
          CHECK(sum == 16);
        } else {
#pragma omp taskyield
          CHECK(holders == 1);
#pragma omp taskyield
        }
        holders--;
        omp_unset_lock(&lock);
      }
    }
  }
  omp_destroy_lock(&lock);
  return 0;
}
