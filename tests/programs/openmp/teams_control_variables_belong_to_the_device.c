// omp_set_num_teams and omp_set_teams_thread_limit hold everywhere from then on; a clause goes before them.
// OpenMP 5.2, 18.4 teams region routines and 2.4.
#include <omp.h>
#include <stdlib.h>

#include "rerun.h"

static int teams_now(void) {
  int teams = 0;
#pragma omp teams reduction(max : teams)
  teams = omp_get_num_teams();
  return teams;
}

static int most_threads(void) {
  int most = 0;
#pragma omp teams num_teams(2) reduction(max : most)
  {
    int here = 0;
#pragma omp parallel num_threads(8)
#pragma omp single
    here = omp_get_num_threads();
    most = here;
  }
  return most;
}

int main(int argc, char** argv) {
  (void)argv;
  if (argc > 1) return omp_get_max_teams() != 4 || omp_get_teams_thread_limit() != 3;
  if (getenv("OMP_NUM_TEAMS") == NULL) CHECK(omp_get_max_teams() == 0);
  CHECK(teams_now() >= 1);
#pragma omp parallel num_threads(2)
#pragma omp single
  omp_set_num_teams(3);
  CHECK(omp_get_max_teams() == 3);
  CHECK(teams_now() >= 1 && teams_now() <= 3);
  omp_set_teams_thread_limit(2);
  CHECK(omp_get_teams_thread_limit() == 2);
  CHECK(most_threads() <= 2);
  CHECK(rerun("OMP_NUM_TEAMS=4 OMP_TEAMS_THREAD_LIMIT=3", "inner")->status == 0);
  return 0;
}
