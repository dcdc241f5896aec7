// omp_get_wtime never goes back on a thread and omp_get_wtick is positive; there is at least one processor.
// OpenMP 5.1, 3.10 timing routines.
#include <omp.h>
#include <time.h>

#include "check.h"

int main(void) {
  CHECK(omp_get_wtick() > 0 && omp_get_wtick() <= 0.1);
  CHECK(omp_get_num_procs() >= 1 && omp_get_max_threads() >= 1 && omp_get_thread_limit() >= 1);
  double start = omp_get_wtime();
#pragma omp parallel
  {
    double last = omp_get_wtime();
    for (int i = 0; i < 1000; i++) {
      double now = omp_get_wtime();
      CHECK(now >= last);
      last = now;
    }
  }
  struct timespec pause = {0, 20000000};
  while (nanosleep(&pause, &pause) != 0) continue;
  double elapsed = omp_get_wtime() - start;
  CHECK(elapsed >= 0.0199 && elapsed < 60);
  return 0;
}
