// A region deeper than max-active-levels has a team of one, which counts as a level but not as an active one.
// OpenMP 5.1, 2.6.1 determining the number of threads; 3.2.15 omp_set_max_active_levels.
#include <omp.h>

#include "check.h"

int main(void) {
  omp_set_dynamic(0);
  omp_set_max_active_levels(1);
  int inner_regions = 0;
#pragma omp parallel num_threads(4)
  {
    int outer = omp_get_thread_num();
    for (int round = 0; round < 100; round++) {
      int sum = 0;
#pragma omp parallel num_threads(4)
      {
        CHECK(omp_get_num_threads() == 1 && omp_get_thread_num() == 0);
        CHECK(omp_get_level() == 2 && omp_get_active_level() == 1);
        CHECK(omp_get_team_size(1) == 4 && omp_get_team_size(2) == 1);
        CHECK(omp_get_ancestor_thread_num(1) == outer && omp_get_ancestor_thread_num(2) == 0);
        CHECK(omp_in_parallel());
#pragma omp for schedule(dynamic) reduction(+ : sum)
        for (int i = 0; i < 10; i++) sum += i;
        CHECK(sum == 45);
#pragma omp task shared(sum)
        sum = -1;
#pragma omp taskwait
        CHECK(sum == -1);
#pragma omp barrier
#pragma omp single
        {
#pragma omp atomic
          inner_regions++;
        }
      }
      CHECK(omp_get_thread_num() == outer && omp_get_num_threads() == 4);
    }
  }
  CHECK(inner_regions == 400);
  omp_set_max_active_levels(0);
#pragma omp parallel num_threads(4)
  CHECK(omp_get_num_threads() == 1 && omp_get_level() == 1 && omp_get_active_level() == 0);
  return 0;
}
