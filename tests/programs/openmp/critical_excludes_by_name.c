// Critical regions of one name exclude each other wherever they stand, the unnamed ones share a name, and
// regions of different names may be nested.
// OpenMP 5.1, 2.19.1 critical construct.
#include <omp.h>

#include "check.h"

static long unnamed;
static long red;
static long blue;

static void count_red(void) {
#pragma omp critical(red_counter)
  red++;
}

int main(void) {
  enum { kRounds = 2000 };
  int team = 1;
#pragma omp parallel shared(team)
  {
#pragma omp single
    team = omp_get_num_threads();
    for (int i = 0; i < kRounds; i++) {
#pragma omp critical
      unnamed++;
#pragma omp critical
      unnamed += 2;
      count_red();
#pragma omp critical(red_counter)
      {
        red += 2;
#pragma omp critical(blue_counter) hint(omp_sync_hint_contended)
        blue++;
      }
#pragma omp critical(blue_counter) hint(omp_sync_hint_contended)
      blue += 2;
    }
#pragma omp task
#pragma omp critical
    unnamed++;
  }
  CHECK(unnamed == (3L * kRounds + 1) * team);
  CHECK(red == 3L * kRounds * team && blue == 3L * kRounds * team);
  return 0;
}
