// A handle starts its task on the calling thread, unless somebody has started it or it waits for others.
#include <omp.h>
#include <string.h>

#include "check.h"
#include "heddle.h"

static void one_thread_decides_the_order(void) {
  int order[3], next = 0;
#pragma omp parallel num_threads(1) shared(order, next)
  {
    heddle_task_t handle[3];
    for (int i = 0; i < 3; i++) {
      heddle_next_task_handle(&handle[i]);
#pragma omp task shared(order, next) firstprivate(i)
      order[next++] = i;
    }
    CHECK(next == 0);
    CHECK(heddle_run_task(&handle[1]) == heddle_run_done);
    CHECK(handle[1] == NULL && next == 1 && order[0] == 1);
    CHECK(heddle_run_task(&handle[1]) == heddle_run_started);
    heddle_free_task(&handle[0]);
#pragma omp taskwait
    CHECK(next == 3);
    CHECK(heddle_run_task(&handle[2]) == heddle_run_started);
    CHECK(handle[2] == NULL);

    int x = 0;
    heddle_task_t later;
#pragma omp task depend(out : x) shared(x)
    x = 1;
    heddle_next_task_handle(&later);
#pragma omp task depend(inout : x) shared(x)
    x++;
    CHECK(heddle_run_task(&later) == heddle_run_not_ready);
    CHECK(later != NULL);
    heddle_free_task(&later);
#pragma omp taskwait
    CHECK(x == 2);

    heddle_task_t at_once = (heddle_task_t)&x;
    heddle_next_task_handle(&at_once);
#pragma omp task if (0) shared(x)
    x++;
    CHECK(at_once == NULL && x == 3);
  }
}

static void each_runs_once_whoever_starts_it(void) {
  enum { kTasks = 5000 };
  static int runs[kTasks];
  static heddle_task_t handle[kTasks];
  memset(runs, 0, sizeof runs);
#pragma omp parallel
#pragma omp single
  {
    for (int i = 0; i < kTasks; i++) {
      heddle_next_task_handle(&handle[i]);
#pragma omp task firstprivate(i) shared(runs)
      {
        int child = 0;
#pragma omp task shared(child)
        child = 1;
#pragma omp taskwait
        runs[i] += child;
      }
    }
    int started = 0, done = 0;
    for (int i = kTasks - 1; i >= 0; i -= 2) {
      const heddle_run_t result = heddle_run_task(&handle[i]);
      CHECK(result != heddle_run_not_ready);
      *(result == heddle_run_done ? &done : &started) += 1;
    }
    CHECK(started + done == kTasks / 2);
#pragma omp taskwait
    for (int i = 0; i < kTasks; i++) {
      CHECK(runs[i] == 1);
      heddle_free_task(&handle[i]);
    }
  }
}

int main(void) {
  heddle_set_throttle(HEDDLE_HOLD, 0);
  one_thread_decides_the_order();
  each_runs_once_whoever_starts_it();
  return 0;
}
