// What a waiting thread executes meanwhile may be suspended for as long as the waiting task has not gone on,
// in whatever construct that one waits.
#include <omp.h>
#include <stdatomic.h>

#include "check.h"
#include "heddle.h"
#include "outsider.h"

enum { kTasks = 30 };

static outsider g_outsider;

// The creator of an undeferred task goes on when that one's event is fulfilled, although the thread has begun
// another task meanwhile, which waits for the creator.
static void creators_of_detached_undeferred_tasks_go_on(void) {
  int ended = 0;
  heddle_set_throttle(HEDDLE_HOLD, 0);  // tasks pile up
#pragma omp parallel shared(ended)
#pragma omp single
  for (int i = 0; i < 10; i++) {
    const omp_event_handle_t later = omp_task_continuation_event();
#pragma omp task firstprivate(later) shared(ended)
    {
      omp_taskwait_detach(later);
#pragma omp atomic
      ended++;
    }
    omp_event_handle_t completion = (omp_event_handle_t)no_event();
#pragma omp task if (0) detach(completion)
    hand_to(&g_outsider, completion);
    omp_fulfill_event(later);
  }
  heddle_set_throttle(0, 0);
  CHECK(ended == 10);
}

// The child is complete, and its own child waits for what the waiting task does later.
static void latency_waits_end_below_suspended_grandchildren(void) {
  int children = 0;
  heddle_set_wait(heddle_wait_latency);
  heddle_set_throttle(HEDDLE_HOLD, 0);
#pragma omp parallel shared(children)
#pragma omp single
  for (int i = 0; i < kTasks; i++) {
    const omp_event_handle_t event = omp_task_continuation_event();
#pragma omp task shared(children) firstprivate(event)
    {
#pragma omp task firstprivate(event)
      omp_taskwait_detach(event);
      wait_for_outsider(&g_outsider);
#pragma omp atomic
      children++;
    }
#pragma omp taskwait
    CHECK(children == i + 1);
    omp_fulfill_event(event);
  }
  heddle_set_throttle(0, 0);
  heddle_set_wait(heddle_wait_throughput);
}

// A plain task that depends on what executions of a taskgraph without a group have under way waits for them.
static void creators_that_wait_for_taskgraphs_go_on(void) {
  int times_created = 0;
  static int value;
  int ended = 0;
  heddle_set_throttle(HEDDLE_HOLD, 0);
#pragma omp parallel shared(ended)
#pragma omp single
  for (int i = 0; i < 5; i++) {
    const omp_event_handle_t later = omp_task_continuation_event();
#pragma omp task firstprivate(later) shared(ended)
    {
      omp_taskwait_detach(later);
#pragma omp atomic
      ended++;
    }
    HEDDLE_TASKGRAPH(.nogroup = 1) {
      times_created++;
#pragma omp task depend(inout : value)
      {
        wait_for_outsider(&g_outsider);
        value++;
      }
    }
#pragma omp task depend(inout : value)
    value++;
    omp_fulfill_event(later);
  }
  heddle_set_throttle(0, 0);
  CHECK(ended == 5 && value == 10);
  CHECK(times_created == 1);
}

// Two of these waits on one thread give turns to what yields.
static void latency_waits_give_turns_to_tasks_that_yield(void) {
  atomic_int produced = 0;
  heddle_set_wait(heddle_wait_latency);
#pragma omp parallel shared(produced)
#pragma omp single
  {
    for (int i = 0; i < 10; i++) {
#pragma omp task shared(produced)
      {
#pragma omp task shared(produced)
        while (atomic_load(&produced) == 0) {
#pragma omp taskyield
        }
#pragma omp taskwait
      }
    }
#pragma omp task shared(produced)
    atomic_store(&produced, 1);
  }
  heddle_set_wait(heddle_wait_throughput);
}

int main(void) {
  start_outsider(&g_outsider, 0);
  creators_of_detached_undeferred_tasks_go_on();
  creators_that_wait_for_taskgraphs_go_on();
  latency_waits_end_below_suspended_grandchildren();
  latency_waits_give_turns_to_tasks_that_yield();
  end_outsider(&g_outsider);
  return 0;
}
