// Regions nested in regions a hundred deep, each with a team of its own; ancestors are numbered all the way
// up.
#include <omp.h>

#include "check.h"

enum { kDepth = 100 };

static int deepest;

static void descend(int level) {
  CHECK(omp_get_level() == level);
  if (level == kDepth) {
    ++deepest;
    for (int l = 0; l <= level; ++l) {
      CHECK(omp_get_ancestor_thread_num(l) == (l == 0 ? 0 : omp_get_team_size(l) - 1));
      CHECK(omp_get_team_size(l) == (l == 0 ? 1 : 2));
    }
    return;
  }
#pragma omp parallel num_threads(2)
  {
    CHECK(omp_get_num_threads() == 2);
    if (omp_get_thread_num() == 1) descend(level + 1);
  }
}

int main(void) {
  omp_set_max_active_levels(kDepth);
  omp_set_dynamic(0);
  descend(0);
  CHECK(deepest == 1);
  descend(0);
  CHECK(deepest == 2);
  return 0;
}
