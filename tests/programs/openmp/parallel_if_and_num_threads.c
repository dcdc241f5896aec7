// if(0) makes a team of one, num_threads(n) one of n, and neither clause one of omp_get_max_threads().
// OpenMP 5.1, 2.6 parallel construct and 2.6.1 determining the number of threads.
#include <omp.h>

#include "check.h"

static int team_of(int condition, int threads) {
  int size = 0;
  int members = 0;
#pragma omp parallel if (condition) num_threads(threads)
  {
    CHECK(omp_get_level() == 1);
    CHECK(omp_in_parallel() == (omp_get_num_threads() > 1));
    CHECK(omp_get_active_level() == (omp_get_num_threads() > 1));
    CHECK(omp_get_thread_num() < omp_get_num_threads());
#pragma omp atomic
    members++;
#pragma omp master
    size = omp_get_num_threads();
  }
  CHECK(members == size);
  return size;
}

int main(void) {
  omp_set_dynamic(0);
  CHECK(omp_get_num_threads() == 1 && omp_get_level() == 0 && !omp_in_parallel());
  for (int threads = 1; threads <= 8; threads++) {
    CHECK(team_of(1, threads) == threads);
    CHECK(team_of(0, threads) == 1);
  }
  int size = 0;
#pragma omp parallel proc_bind(close)
#pragma omp single
  size = omp_get_num_threads();
  CHECK(size == omp_get_max_threads());
  omp_set_num_threads(6);
#pragma omp parallel
#pragma omp single
  size = omp_get_num_threads();
  CHECK(size == 6);
  CHECK(omp_get_num_threads() == 1 && omp_get_level() == 0 && !omp_in_parallel());
  return 0;
}
