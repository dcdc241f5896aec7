// A threadprivate variable keeps its value from one region to the next of the same size, thread by thread.
// OpenMP 5.1, 2.21.2 threadprivate directive.
#include <omp.h>

#include "check.h"

static int mine = 100;
#pragma omp threadprivate(mine)

int main(void) {
  int* addresses[64] = {0};
  omp_set_dynamic(0);
#pragma omp parallel shared(addresses)
  {
    CHECK(omp_get_num_threads() <= 64);
    CHECK(mine == 100);
    mine = omp_get_thread_num() * 1000;
    addresses[omp_get_thread_num()] = &mine;
  }
  CHECK(mine == 0);
  for (int round = 1; round <= 50; round++) {
#pragma omp parallel shared(addresses)
    {
      int self = omp_get_thread_num();
      CHECK(addresses[self] == &mine);
      CHECK(mine == self * 1000 + round - 1);
      mine++;
      for (int other = 0; other < omp_get_num_threads(); other++) {
        CHECK((addresses[other] == &mine) == (other == self));
      }
    }
    CHECK(mine == round);
  }
  return 0;
}
