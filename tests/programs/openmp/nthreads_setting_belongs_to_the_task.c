// omp_set_num_threads changes only the data environment of the task that calls it; new tasks inherit the
// value. OpenMP 5.1, 2.4.3 ICV scope and 3.2.1 omp_set_num_threads.
#include <omp.h>

#include "check.h"

int main(void) {
  omp_set_num_threads(3);
  for (int round = 0; round < 20; round++) {
#pragma omp parallel num_threads(2)
    {
      int self = omp_get_thread_num();
      CHECK(omp_get_max_threads() == 3);
      omp_set_num_threads(5 + self);
#pragma omp barrier
      CHECK(omp_get_max_threads() == 5 + self);
#pragma omp task
      {
        CHECK(omp_get_max_threads() == 5 + self);
        omp_set_num_threads(9);
        CHECK(omp_get_max_threads() == 9);
#pragma omp task
        CHECK(omp_get_max_threads() == 9);
#pragma omp taskwait
        CHECK(omp_get_max_threads() == 9);
      }
#pragma omp taskwait
      CHECK(omp_get_max_threads() == 5 + self);
#pragma omp parallel num_threads(1)
      CHECK(omp_get_max_threads() == 5 + self);
    }
    CHECK(omp_get_max_threads() == 3);
  }
  return 0;
}
