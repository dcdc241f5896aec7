// OMP_THREAD_LIMIT bounds an initial thread and the regions inside it, nested ones included; what one region
// gave back another may have. OpenMP 5.2, 2.3 contention group, 10.1.1 algorithm 10.1.
#include <omp.h>
#include <time.h>

#include "check.h"
#include "rerun.h"

enum { kLimit = 6, kOuter = 5 };

static int g_now, g_most;

// Until as many are there as the outer region has, and some time longer.
static void stay(void) {
  const struct timespec pause = {0, 5 * 1000 * 1000};
  int now;
#pragma omp atomic capture
  now = ++g_now;
#pragma omp critical
  if (now > g_most) g_most = now;
  const double began = omp_get_wtime();
  for (int most = 0; most < kOuter && omp_get_wtime() - began < 20;) {
    nanosleep(&pause, NULL);
#pragma omp critical
    most = g_most;
  }
#pragma omp atomic
  --g_now;
}

int main(int argc, char** argv) {
  (void)argv;
  if (argc == 1) {
    const rerun_result* again =
        rerun("OMP_THREAD_LIMIT=6 OMP_DYNAMIC=false OMP_NUM_THREADS=4 OMP_MAX_ACTIVE_LEVELS=3", "again");
    if (again->status != 0) fputs(again->output, stdout);
    CHECK(again->status == 0);
    return 0;
  }
  for (int round = 0; round < 3; ++round) {
    g_most = 0;
#pragma omp parallel num_threads(kOuter)
    {
#pragma omp parallel num_threads(5)
      {
#pragma omp parallel num_threads(2)
        stay();
      }
    }
    CHECK(g_most >= kOuter && g_most <= kLimit);
    // Everything was given back.
    int threads = 0;
#pragma omp parallel num_threads(kLimit) shared(threads)
#pragma omp single
    threads = omp_get_num_threads();
    CHECK(threads == kLimit);
#pragma omp parallel num_threads(kLimit + 1) shared(threads)
#pragma omp single
    threads = omp_get_num_threads();
    CHECK(threads == kLimit);
  }
  // The teams of a league are contention groups of their own.
  int fewest = kLimit;
#pragma omp teams num_teams(2) shared(fewest)
#pragma omp parallel num_threads(kLimit) shared(fewest)
#pragma omp single
  {
    if (omp_get_num_threads() < fewest) fewest = omp_get_num_threads();
  }
  CHECK(fewest == kLimit);
  return 0;
}
