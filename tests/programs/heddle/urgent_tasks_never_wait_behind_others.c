// A thread that looks for a task takes the one of the highest priority that is ready; and waiting for tasks
// of lower priority makes progress while others of higher priority keep coming.
#include <omp.h>

#include "heddle.h"
#include "rerun.h"

static void highest_first(void) {
  enum { kEach = 50, kLevels = 4 };
  int next = 0, order[kEach * kLevels];
#pragma omp parallel num_threads(1) shared(next, order)
  {
    for (int i = 0; i < kEach * kLevels; i++) {
      const int level = i % kLevels;
#pragma omp task priority(level) shared(next, order) firstprivate(level)
      order[next++] = level;
    }
#pragma omp taskwait
  }
  for (int i = 0; i < kEach * kLevels; i++) CHECK(order[i] == kLevels - 1 - i / kEach);
}

// Each urgent task waits for a child that is not urgent, behind many tasks that are.
static void waits_end(void) {
  enum { kTasks = 300 };
  int children = 0;
#pragma omp parallel shared(children)
#pragma omp single
  for (int i = 0; i < kTasks; i++) {
#pragma omp task priority(9) shared(children)
    {
#pragma omp task priority(0) shared(children)
#pragma omp atomic
      children++;
#pragma omp taskwait
    }
  }
  CHECK(children == kTasks);
}

int main(int count, char** arguments) {
  (void)arguments;
  if (count == 1) {
    const rerun_result* again = rerun("OMP_MAX_TASK_PRIORITY=10", "again");
    fputs(again->output, stdout);
    return again->status;
  }
  CHECK(omp_get_max_task_priority() == 10);
  heddle_set_throttle(HEDDLE_HOLD, 0);
  highest_first();
  waits_end();
  return 0;
}
