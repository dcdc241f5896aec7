// teams on the host: every team of the league executes the region once, with its number; distribute shares a
// loop among them, parallel regions inside have their own threads, thread_limit limits them (OpenMP 5.2,
// section 10.2).
#include <omp.h>

#include "check.h"

enum { kTeams = 3, kTrip = 100 };

// What may not stand in a teams region itself.
static void meet(int* met) {
  CHECK(omp_get_level() == 0 && omp_get_num_threads() == 1 && omp_get_thread_num() == 0);
  CHECK(omp_get_thread_limit() == 2);
#pragma omp atomic
  ++*met;
}

int main(void) {
  CHECK(omp_get_num_teams() == 1 && omp_get_team_num() == 0);
  int met[kTeams] = {0}, threads[kTeams] = {0}, counts[kTrip] = {0};
#pragma omp teams num_teams(kTeams) thread_limit(2)
  {
    CHECK(omp_get_num_teams() == kTeams);
    const int team = omp_get_team_num();
    CHECK(team >= 0 && team < kTeams);
    meet(&met[team]);
#pragma omp parallel num_threads(2)
    {
      CHECK(omp_get_team_num() == team && omp_get_num_teams() == kTeams);
      CHECK(omp_get_level() == 1);
#pragma omp atomic
      ++threads[team];
    }
#pragma omp distribute
    for (int i = 0; i < kTrip; ++i) {
#pragma omp atomic
      ++counts[i];
    }
  }
  for (int t = 0; t < kTeams; ++t) {
    CHECK(met[t] == 1);
    CHECK(threads[t] >= 1 && threads[t] <= 2);
  }
  for (int i = 0; i < kTrip; ++i) CHECK(counts[i] == 1);

#pragma omp teams distribute parallel for num_teams(kTeams) dist_schedule(static, 7) schedule(static, 2)
  for (int i = 0; i < kTrip; ++i) {
#pragma omp atomic
    ++counts[i];
  }
  int sum = 0;
#pragma omp teams distribute parallel for reduction(+ : sum)
  for (int i = 0; i < kTrip; ++i) sum += counts[i];
  CHECK(sum == 2 * kTrip);
  CHECK(omp_get_num_teams() == 1);
  return 0;
}
