// A background task is executed after all that is ready besides, and at the latest where it is waited for.
#include <omp.h>

#include "check.h"
#include "heddle.h"

int main(void) {
  enum { kTasks = 100 };
  int done = 0, done_before = -1, runs = 0;
  heddle_set_throttle(HEDDLE_HOLD, 0);
#pragma omp parallel
#pragma omp single
  {
    heddle_next_task_background();
#pragma omp task shared(done, done_before, runs)
    {
#pragma omp atomic read
      done_before = done;
#pragma omp atomic
      runs++;
    }
    for (int i = 0; i < kTasks; i++) {
#pragma omp task shared(done)
#pragma omp atomic
      done++;
    }
#pragma omp taskwait
    CHECK(runs == 1 && done == kTasks);
    // One thread idles only when nothing else is left; more may idle while the creator is slow.
    if (omp_get_num_threads() == 1) CHECK(done_before == kTasks);

    // The request is for one task only, and a background task has dependences like any other.
    int order = 0;
    heddle_next_task_background();
#pragma omp task depend(out : order) shared(order)
    order = 1;
#pragma omp task depend(inout : order) shared(order)
    {
      CHECK(order == 1);
      order = 2;
    }
#pragma omp taskwait
    CHECK(order == 2);
  }
  // Nobody waits for it but the barrier.
  int at_barrier = 0;
#pragma omp parallel shared(at_barrier)
  {
#pragma omp single nowait
    {
      heddle_next_task_background();
#pragma omp task shared(at_barrier)
      at_barrier = 1;
    }
#pragma omp barrier
    CHECK(at_barrier == 1);
  }
  return 0;
}
