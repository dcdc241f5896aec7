// With max-active-levels at 3, regions three deep each have a team of their own, and the ancestors are known.
// OpenMP 5.1, 2.6 parallel construct; 3.2.17 omp_get_level to 3.2.20 omp_get_active_level.
#include <omp.h>

#include "check.h"

static int seen[2][3][2];

int main(void) {
  omp_set_dynamic(0);
  omp_set_max_active_levels(3);
  CHECK(omp_get_max_active_levels() == 3);
  for (int round = 1; round <= 10; round++) {
#pragma omp parallel num_threads(2)
    {
      int outer = omp_get_thread_num();
#pragma omp parallel num_threads(3)
      {
        int middle = omp_get_thread_num();
        CHECK(omp_get_num_threads() == 3 && omp_get_level() == 2 && omp_get_active_level() == 2);
#pragma omp parallel num_threads(2)
        {
          int inner = omp_get_thread_num();
          CHECK(omp_get_level() == 3 && omp_get_active_level() == 3);
          CHECK(omp_get_ancestor_thread_num(0) == 0);
          CHECK(omp_get_ancestor_thread_num(1) == outer);
          CHECK(omp_get_ancestor_thread_num(2) == middle);
          CHECK(omp_get_ancestor_thread_num(3) == inner);
          CHECK(omp_get_ancestor_thread_num(4) == -1 && omp_get_ancestor_thread_num(-1) == -1);
          CHECK(omp_get_team_size(0) == 1 && omp_get_team_size(1) == 2);
          CHECK(omp_get_team_size(2) == 3 && omp_get_team_size(3) == 2);
          CHECK(omp_get_team_size(4) == -1 && omp_get_team_size(-1) == -1);
          seen[outer][middle][inner]++;
#pragma omp barrier
          CHECK(seen[outer][middle][1 - inner] == round);
        }
        CHECK(omp_get_level() == 2 && omp_get_thread_num() == middle && omp_get_num_threads() == 3);
#pragma omp barrier
        CHECK(seen[outer][(middle + 1) % 3][0] == round);
      }
      CHECK(omp_get_level() == 1 && omp_get_thread_num() == outer && omp_get_num_threads() == 2);
    }
    for (int i = 0; i < 12; i++) CHECK(seen[i / 6][i / 2 % 3][i % 2] == round);
  }
  return 0;
}
