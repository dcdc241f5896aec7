// With HEDDLE_HOLD a producer executes none of its tasks while it creates them; without, it executes some.
#include <omp.h>

#include "check.h"
#include "heddle.h"

enum { kTasks = 20000 };

static int run_by_the_producer(long throttle) {
  int here = 0, done = 0;
  heddle_set_throttle(throttle, 0);
#pragma omp parallel
#pragma omp single
  {
    const int me = omp_get_thread_num();
    int is_producing = 1;
    for (int i = 0; i < kTasks; i++) {
#pragma omp task shared(here, done, is_producing)
      {
        int is_early;
#pragma omp atomic read
        is_early = is_producing;
        if (omp_get_thread_num() == me && is_early) here++;
#pragma omp atomic
        done++;
      }
    }
#pragma omp atomic write
    is_producing = 0;
#pragma omp taskwait
    CHECK(done == kTasks);
  }
  return here;
}

int main(void) {
  CHECK(run_by_the_producer(HEDDLE_HOLD) == 0);
  if (omp_get_max_threads() == 1) CHECK(run_by_the_producer(1) == kTasks);
  run_by_the_producer(0);
  return 0;
}
