// A wait ends when what it is for is complete, whatever else of its thread is suspended: here on an event
// that the waiting task fulfils only after its wait.
#include <omp.h>
#include <stdatomic.h>

#include "check.h"
#include "heddle.h"

enum { kRounds = 50 };

static atomic_int g_suspended, g_went_on;

static void wait_here(omp_event_handle_t event) {
  atomic_fetch_add(&g_suspended, 1);
  omp_taskwait_detach(event);
  atomic_fetch_add(&g_went_on, 1);
}

// taskwait is for children; the child is complete although its own child is suspended.
static void taskwait_above_a_suspended_grandchild(void) {
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < kRounds; i++) {
#pragma omp task
    {
      const omp_event_handle_t event = omp_task_continuation_event();
      int children = 0;
      for (int child = 0; child < 3; child++) {
#pragma omp task shared(children) firstprivate(event, child)
        {
          if (child == 1) {
#pragma omp task firstprivate(event)
            wait_here(event);
          }
#pragma omp atomic
          children++;
        }
      }
#pragma omp taskwait
      CHECK(children == 3);
      omp_fulfill_event(event);
    }
  }
}

// The end of a taskgroup is for the tasks of the group: what was created before it may be suspended.
static void taskgroup_beside_a_suspended_task(void) {
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < kRounds; i++) {
#pragma omp task
    {
      const omp_event_handle_t event = omp_task_continuation_event();
#pragma omp task firstprivate(event)
      wait_here(event);
      int members = 0;
#pragma omp taskgroup
      {
        for (int member = 0; member < 3; member++) {
#pragma omp task shared(members)
          {
#pragma omp task shared(members)
            {
#pragma omp atomic
              members++;
            }
          }
        }
      }
      CHECK(members == 3);
      omp_fulfill_event(event);
    }
  }
}

// taskwait depend is for predecessors, and so is the creator of an undeferred task.
static void predecessors_above_a_suspended_grandchild(void) {
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < kRounds; i++) {
#pragma omp task firstprivate(i)
    {
      const omp_event_handle_t event = omp_task_continuation_event();
      int first = 0, second = 0;
#pragma omp task shared(first) depend(out : first) firstprivate(event)
      {
#pragma omp task firstprivate(event)
        wait_here(event);
        first = 1;
      }
#pragma omp task shared(first, second) depend(in : first) depend(out : second)
      second = first + 1;
      if (i % 2 == 0) {
#pragma omp taskwait depend(in : second)
        CHECK(first == 1 && second == 2);
      } else {
#pragma omp task if (0) shared(first, second) depend(in : second)
        CHECK(first == 1 && second == 2);
      }
      omp_fulfill_event(event);
#pragma omp taskwait
    }
  }
}

// Several tasks wait for their children on the same thread, and the first to begin is the first to end.
static void waits_end_in_any_order(void) {
  enum { kWaits = 20 };
  omp_event_handle_t events[kWaits];
  int ended[kWaits] = {0};
#pragma omp parallel shared(events, ended)
#pragma omp single
  {
    for (int i = 0; i < kWaits; i++) events[i] = omp_task_continuation_event();
    for (int i = 0; i < kWaits; i++) {
#pragma omp task shared(events, ended) firstprivate(i)
      {
#pragma omp task shared(events) firstprivate(i)
        wait_here(events[i]);
        if (i % 2 == 0) {
#pragma omp taskwait
        } else {
#pragma omp taskgroup
          {
#pragma omp task
            atomic_fetch_add(&g_suspended, 0);
          }
#pragma omp taskwait
        }
        ended[i] = 1;
        if (i + 1 < kWaits) omp_fulfill_event(events[i + 1]);
      }
    }
    omp_fulfill_event(events[0]);
#pragma omp taskwait
    for (int i = 0; i < kWaits; i++) CHECK(ended[i] == 1);
  }
}

// A child that is suspended keeps its parent's taskwait, its group's end and its successors waiting.
static void waits_last_as_long_as_what_they_are_for(void) {
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < kRounds; i++) {
    const omp_event_handle_t event = omp_task_continuation_event();
    int child = 0, is_fulfilled = 0;
#pragma omp task shared(is_fulfilled) firstprivate(event)
    {
#pragma omp taskyield
#pragma omp atomic write
      is_fulfilled = 1;
      omp_fulfill_event(event);
    }
    if (i % 3 == 0) {
#pragma omp task shared(child) firstprivate(event)
      {
        wait_here(event);
        child = 1;
      }
#pragma omp taskwait
    } else if (i % 3 == 1) {
#pragma omp taskgroup
      {
#pragma omp task shared(child) firstprivate(event)
        {
#pragma omp task shared(child) firstprivate(event)
          {
            wait_here(event);
            child = 1;
          }
        }
      }
    } else {
#pragma omp task shared(child) firstprivate(event) depend(out : child)
      {
        wait_here(event);
        child = 1;
      }
#pragma omp taskwait depend(in : child)
    }
    int is_seen;
#pragma omp atomic read
    is_seen = is_fulfilled;
    CHECK(child == 1 && is_seen == 1);
#pragma omp taskwait
  }
}

int main(void) {
  taskwait_above_a_suspended_grandchild();
  taskgroup_beside_a_suspended_task();
  predecessors_above_a_suspended_grandchild();
  CHECK(atomic_load(&g_suspended) == 3 * kRounds && atomic_load(&g_went_on) == 3 * kRounds);
  waits_end_in_any_order();
  waits_last_as_long_as_what_they_are_for();
  return 0;
}
