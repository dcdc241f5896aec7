// In a wait for latency a thread executes nothing but what it waits for, and what that may wait for.
#include <omp.h>

#include "check.h"
#include "heddle.h"

static int inner_children(void) {
  int a = 0, b = 0;
#pragma omp task shared(a)
  a = 1;
#pragma omp task shared(b)
  b = 2;
#pragma omp taskwait
  return a + b;
}

int main(void) {
  enum { kOthers = 50 };
  CHECK(heddle_is_here());
  CHECK(heddle_get_wait() == heddle_wait_throughput);
  heddle_set_throttle(HEDDLE_HOLD, 0);
  heddle_set_wait(heddle_wait_latency);
#pragma omp parallel
#pragma omp single
  {
    CHECK(heddle_get_wait() == heddle_wait_latency);
    const int me = omp_get_thread_num();
    int others = 0, others_here = 0, wanted = 0;
    for (int i = 0; i < kOthers; i++) {
#pragma omp task shared(others, others_here)
      {
#pragma omp atomic
        others++;
        if (omp_get_thread_num() == me) {
#pragma omp atomic
          others_here++;
        }
      }
    }
#pragma omp taskgroup
    {
      for (int i = 0; i < kOthers; i++) {
#pragma omp task shared(wanted)
        {
          const int sum = inner_children();
#pragma omp atomic
          wanted += sum;
        }
      }
    }
    CHECK(wanted == 3 * kOthers);
    CHECK(others_here == 0);
    int background = 0;
    heddle_next_task_background();
#pragma omp task shared(background)
    background = 1;
#pragma omp taskgroup
    {
#pragma omp task shared(wanted)
#pragma omp atomic
      wanted++;
    }
    if (omp_get_num_threads() == 1) CHECK(background == 0);
#pragma omp taskwait  // waits for the others now
    CHECK(others == kOthers && background == 1);
  }
  return 0;
}
