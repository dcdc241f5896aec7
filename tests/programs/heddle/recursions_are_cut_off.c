// A task of a task that creates others, while nobody takes them, executes most of them at their creation; not
// so where HEDDLE_HOLD is wanted, nor a task of the region's own code, which fills its queue first.
#include <omp.h>

#include "check.h"
#include "heddle.h"

enum { kTasks = 500 };

// How many of the tasks of one at that depth are executed at their creation.
static int executed_at_creation(int depth) {
  int at_creation = 0;
  if (depth > 0) {
#pragma omp task shared(at_creation)
    at_creation = executed_at_creation(depth - 1);
#pragma omp taskwait
    return at_creation;
  }
  static volatile int is_creating;
  int done = 0;
  for (int i = 0; i < kTasks; i++) {
    is_creating = 1;
#pragma omp task shared(at_creation, done)
    {
      if (is_creating) at_creation++;
      done++;
    }
    is_creating = 0;
  }
#pragma omp taskwait
  CHECK(done == kTasks);
  return at_creation;
}

// The others are kept busy: whatever is executed, the creator's thread executes.
static int with_busy_others(int depth) {
  int at_creation = -1, is_over = 0;
#pragma omp parallel
  {
    if (omp_get_thread_num() == 0) {
      at_creation = executed_at_creation(depth);
#pragma omp atomic write seq_cst
      is_over = 1;
    } else {
      for (int over = 0; !over;) {
#pragma omp atomic read seq_cst
        over = is_over;
      }
    }
  }
  return at_creation;
}

int main(void) {
  if (omp_get_max_threads() == 1) {  // every task is executed at its creation, at any depth
    CHECK(with_busy_others(3) == kTasks && with_busy_others(0) == kTasks);
    return 0;
  }
  const int nested = with_busy_others(3), flat = with_busy_others(0);
  CHECK(nested > kTasks / 2 && nested < kTasks);
  CHECK(flat == 0);
  heddle_set_throttle(HEDDLE_HOLD, 0);
  CHECK(with_busy_others(3) == 0);
  heddle_set_throttle(100, 0);
  const int throttled = with_busy_others(3);
  CHECK(throttled > 0 && throttled <= kTasks - 100);
  heddle_set_throttle(0, 0);
  CHECK(with_busy_others(3) > kTasks / 2);
  return 0;
}
