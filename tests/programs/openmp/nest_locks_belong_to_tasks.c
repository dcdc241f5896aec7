// A nest lock is owned by the task that set it: no other task may set it again, not one on the same thread
// either. OpenMP 5.1, 3.9 lock routines.
#include <omp.h>

#include "check.h"

int main(void) {
  omp_nest_lock_t lock;
  omp_init_nest_lock(&lock);
  for (int round = 0; round < 100; round++) {
#pragma omp parallel
#pragma omp single
    {
      omp_set_nest_lock(&lock);
#pragma omp task if (0)
      CHECK(omp_test_nest_lock(&lock) == 0);
#pragma omp task
      CHECK(omp_test_nest_lock(&lock) == 0);
#pragma omp taskwait
      CHECK(omp_test_nest_lock(&lock) == 2);
      omp_unset_nest_lock(&lock);
      omp_unset_nest_lock(&lock);
#pragma omp task
      {
        CHECK(omp_test_nest_lock(&lock) == 1);
        omp_unset_nest_lock(&lock);
      }
#pragma omp taskwait
    }
    omp_set_nest_lock(&lock);
#pragma omp parallel
    CHECK(omp_test_nest_lock(&lock) == 0);
    omp_unset_nest_lock(&lock);
  }
  omp_destroy_nest_lock(&lock);
  return 0;
}
