// Seen from inside, a target region has just begun: level 0, thread 0 of a team of 1, the control variables
// as the environment set them, and what it changes of them is gone afterwards. OpenMP 5.2, 2.4 ICVs and 13.8
// target. Clang without devices compiles the region into its surroundings, so only GCC shows the levels.
#include <omp.h>

#include "check.h"

int main(void) {
  const int at_start = omp_get_max_threads();
  CHECK(at_start > 0);
  omp_set_num_threads(7);
#pragma omp parallel num_threads(3)
  {
    const int self = omp_get_thread_num();
    int level = -1, active = -1, threads = -1, number = -1, most = -1, ancestor = -1, inside = 0, is_host = 0;
#pragma omp target map(tofrom : level, active, threads, number, most, ancestor, inside, is_host)
    {
      is_host = omp_is_initial_device();
      level = omp_get_level();
      active = omp_get_active_level();
      threads = omp_get_num_threads();
      number = omp_get_thread_num();
      most = omp_get_max_threads();
      ancestor = omp_get_ancestor_thread_num(0);
#pragma omp parallel num_threads(2) reduction(+ : inside)
      inside += omp_get_level();
#ifndef __clang__
      omp_set_num_threads(9);
#endif
    }
    CHECK(is_host == 1);
    CHECK(inside > 0);
#ifndef __clang__
    CHECK(level == 0 && active == 0 && threads == 1 && number == 0 && ancestor == 0);
    CHECK(most == at_start);
    CHECK(inside == 1 || inside == 2);
#endif
    CHECK(omp_get_max_threads() == 7);
    CHECK(omp_get_level() == 1 && omp_get_num_threads() <= 3 && omp_get_thread_num() == self);
  }
  return 0;
}
