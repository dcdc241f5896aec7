// Each loop of a long row is cancelled by one thread, and everybody else must see that: what ends one
// construct must not take the next one's cancellation back.
#include <omp.h>
#include <sched.h>
#include <stdatomic.h>

#include "check.h"
#include "rerun.h"

enum { kRounds = 20000, kRoundsOfMany = 200 };  // many share processors
static const double kPatience_s = 10;

static atomic_int asked = -1, lost;

static void loop_that_is_cancelled(int round, int threads) {
#pragma omp for schedule(static, 1)
  for (int i = 0; i < threads; i++) {
    if (i == round % threads) {
      atomic_store(&asked, round);
#pragma omp cancel for
    }
    while (atomic_load(&asked) != round && !atomic_load(&lost));
    const double start = omp_get_wtime();
    while (!atomic_load(&lost)) {
#pragma omp cancellation point for
      if (omp_get_wtime() - start > kPatience_s) atomic_store(&lost, 1);
      sched_yield();
    }
  }
}

int main(void) {
  if (!omp_get_cancellation()) {
    rerun_result* const result = rerun("OMP_CANCELLATION=true", "");
    fputs(result->output, stderr);
    return result->status;
  }
#pragma omp parallel
  {
    const int threads = omp_get_num_threads(), rounds = threads > 2 ? kRoundsOfMany : kRounds;
    for (int round = 0; round < rounds && !atomic_load(&lost); round++)
      loop_that_is_cancelled(round, threads);
  }
  CHECK(!lost);
  return 0;
}
