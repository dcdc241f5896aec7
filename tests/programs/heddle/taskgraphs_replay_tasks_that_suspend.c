// Recorded tasks may be suspended on events that their bodies ask for, in every execution anew; what depends
// on them, and the end of the region, waits for them.
#include <omp.h>
#include <stdatomic.h>

#include "check.h"
#include "heddle.h"
#include "outsider.h"

enum { kRounds = 20, kTasks = 16 };

static outsider g_outsider;

// A chain with two suspensions a link, beside tasks that wait for nobody.
static void dependences_wait_for_suspended_tasks(void) {
  int times_created = 0;
  static int value, order[kTasks], beside;
  beside = 0;
#pragma omp parallel
#pragma omp single
  for (int round = 0; round < kRounds; round++) {
    value = 0;
    HEDDLE_TASKGRAPH() {
      times_created++;
      for (int i = 0; i < kTasks; i++) {
#pragma omp task depend(inout : value) firstprivate(i)
        {
          wait_for_outsider(&g_outsider);
          const int seen = value;
          wait_for_outsider(&g_outsider);
          CHECK(value == seen);
          order[i] = value++;
        }
#pragma omp task firstprivate(i)
        {
          if (i % 4 == 0) wait_for_outsider(&g_outsider);
#pragma omp atomic
          beside++;
        }
      }
    }
    CHECK(value == kTasks && beside == (round + 1) * kTasks);
    for (int i = 0; i < kTasks; i++) CHECK(order[i] == i);
  }
  CHECK(times_created == 1);
}

// One recorded task waits for what another one, recorded before or after it, fulfils.
static void recorded_tasks_fulfill_for_each_other(void) {
  int times_created = 0;
  static _Atomic size_t posted[kTasks];
  static atomic_int ended;
  atomic_store(&ended, 0);
#pragma omp parallel
#pragma omp single
  for (int round = 0; round < kRounds; round++) {
    HEDDLE_TASKGRAPH() {
      times_created++;
      for (int i = 0; i < kTasks; i++) {
#pragma omp task firstprivate(i)
        {
          const omp_event_handle_t event = omp_task_continuation_event();
          // Whoever comes second of the two finds what the first has left there.
          const size_t other = atomic_exchange(&posted[i / 2], (size_t)event);
          if (other != 0) omp_fulfill_event((omp_event_handle_t)other);
          if (other != 0) omp_fulfill_event(event);
          omp_taskwait_detach(event);
          atomic_store(&posted[i / 2], 0);
          atomic_fetch_add(&ended, 1);
        }
      }
    }
    CHECK(atomic_load(&ended) == (round + 1) * kTasks);
  }
  CHECK(times_created == 1);
}

// Recorded tasks whose children are suspended, with and without a wait for them, and that yield and sleep.
static void descendants_of_recorded_tasks_suspend(void) {
  int times_created = 0;
  static atomic_int ended;
  atomic_store(&ended, 0);
#pragma omp parallel
#pragma omp single
  for (int round = 0; round < kRounds; round++) {
    HEDDLE_TASKGRAPH() {
      times_created++;
      for (int i = 0; i < kTasks; i++) {
#pragma omp task firstprivate(i)
        {
          for (int child = 0; child < 2; child++) {
#pragma omp task
            {
              wait_for_outsider(&g_outsider);
              atomic_fetch_add(&ended, 1);
            }
          }
          if (i % 3 == 0) {
#pragma omp taskwait
          } else if (i % 3 == 1) {
#pragma omp taskyield
          } else {
            heddle_task_sleep_ns(10000);
          }
          atomic_fetch_add(&ended, 1);
        }
      }
    }
    CHECK(atomic_load(&ended) == 3 * kTasks * (round + 1));
  }
  CHECK(times_created == 1);
}

// The region's own code waits for an event: a record would lack that, so it is executed plainly each time.
static void regions_that_wait_are_not_replayed(void) {
  static atomic_int bodies;
  atomic_store(&bodies, 0);
  int waits = 0;
#pragma omp parallel shared(waits)
#pragma omp single
  for (int round = 0; round < kRounds; round++) {
    HEDDLE_TASKGRAPH() {
#pragma omp task
      {
        wait_for_outsider(&g_outsider);
        atomic_fetch_add(&bodies, 1);
      }
      wait_for_outsider(&g_outsider);
      waits++;
#pragma omp task
      atomic_fetch_add(&bodies, 1);
    }
    CHECK(atomic_load(&bodies) == 2 * (round + 1) && waits == round + 1);
  }
}

// Executions that overlap: a task of the next one may begin while one of this is suspended.
static void executions_overlap_around_suspended_tasks(void) {
  int times_created = 0;
  static int values[kTasks];
  for (int i = 0; i < kTasks; i++) values[i] = 0;
#pragma omp parallel
#pragma omp single
  {
    for (int round = 0; round < kRounds; round++) {
      HEDDLE_TASKGRAPH(.nogroup = 1) {
        times_created++;
        for (int i = 0; i < kTasks; i++) {
#pragma omp task depend(inout : values[i]) firstprivate(i)
          {
            const int seen = values[i];
            if (i % 2 == 0) wait_for_outsider(&g_outsider);
            values[i] = seen + 1;
          }
        }
      }
    }
#pragma omp taskwait
    for (int i = 0; i < kTasks; i++) CHECK(values[i] == kRounds);
  }
  CHECK(times_created == 1);
}

int main(void) {
  start_outsider(&g_outsider, 0);
  dependences_wait_for_suspended_tasks();
  recorded_tasks_fulfill_for_each_other();
  descendants_of_recorded_tasks_suspend();
  regions_that_wait_are_not_replayed();
  executions_overlap_around_suspended_tasks();
  end_outsider(&g_outsider);
  return 0;
}
