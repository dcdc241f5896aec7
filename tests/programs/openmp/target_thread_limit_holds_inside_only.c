// thread_limit on target bounds the teams inside the region. OpenMP 5.2, 13.3 thread_limit.
#include <omp.h>

#include "check.h"

int main(void) {
  const int before = omp_get_thread_limit();
  int limit = -1, most = 0;
#pragma omp target thread_limit(2) map(tofrom : limit, most)
  {
    limit = omp_get_thread_limit();
#pragma omp parallel num_threads(4)
#pragma omp single
    most = omp_get_num_threads();
  }
  CHECK(limit == 2);
  CHECK(most >= 1 && most <= 2);
  CHECK(omp_get_thread_limit() == before);
  return 0;
}
