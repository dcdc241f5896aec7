// taskyield lets every other task that can go on have its turn: tasks that poll for what another task has yet
// to bring never keep that one from running, however many they are, and two groups of tasks that yield make
// progress in proportion.
#include <omp.h>
#include <stdatomic.h>

#include "check.h"
#include "heddle.h"

// More consumers than threads, created before the one task that they all wait for.
static void consumers_poll_until_a_later_task_produces(int consumers) {
  atomic_int produced = 0, consumed = 0;
#pragma omp parallel shared(produced, consumed)
#pragma omp single
  {
    for (int i = 0; i < consumers; i++) {
#pragma omp task shared(produced, consumed)
      {
        while (atomic_load(&produced) == 0) {
#pragma omp taskyield
        }
        atomic_fetch_add(&consumed, 1);
      }
    }
#pragma omp task shared(produced)
    atomic_store(&produced, 1);
  }
  CHECK(atomic_load(&consumed) == consumers);
}

// Each polls for the one that was created after it.
static void each_polls_for_the_next(int tasks) {
  atomic_int* const ended = calloc((size_t)tasks + 1, sizeof *ended);
  CHECK(ended != NULL);
#pragma omp parallel
#pragma omp single
  {
    for (int i = 0; i < tasks; i++) {
#pragma omp task firstprivate(i)
      {
        while (atomic_load(&ended[i + 1]) == 0) {
#pragma omp taskyield
        }
        atomic_store(&ended[i], 1);
      }
    }
    atomic_store(&ended[tasks], 1);
  }
  CHECK(atomic_load(&ended[0]) == 1);
  free(ended);
}

// Those that poll are suspended in between, or wait for children that poll as well.
static void polling_tasks_do_other_things(int tasks) {
  atomic_int produced = 0, consumed = 0;
#pragma omp parallel shared(produced, consumed)
#pragma omp single
  {
    for (int i = 0; i < tasks; i++) {
#pragma omp task shared(produced, consumed) firstprivate(i)
      {
        if (i % 3 == 0) {
#pragma omp task shared(produced)
          while (atomic_load(&produced) == 0) {
#pragma omp taskyield
          }
#pragma omp taskwait
        } else if (i % 3 == 1) {
          const omp_event_handle_t event = omp_task_continuation_event();
#pragma omp task firstprivate(event)
          omp_fulfill_event(event);
          omp_taskwait_detach(event);
        }
        while (atomic_load(&produced) == 0) {
#pragma omp taskyield
        }
        atomic_fetch_add(&consumed, 1);
      }
    }
#pragma omp task shared(produced)
    atomic_store(&produced, 1);
  }
  CHECK(atomic_load(&consumed) == tasks);
}

// With one thread: of two groups of tasks that work and yield, one as large as the other, none gets ahead.
static void equal_groups_stay_side_by_side(void) {
  enum { kEach = 5, kTurns = 1000, kBound = 2 * kEach };
  int started = 0, largest = 0, count[2] = {0, 0};
#pragma omp parallel num_threads(1) shared(started, largest, count)
  {
    for (int i = 0; i < 2 * kEach; i++) {
      const int group = i < kEach ? 0 : 1;  // the first group is created before the other
#pragma omp task shared(started, largest, count) firstprivate(group)
      {
        started++;
        while (*(volatile int*)&started < 2 * kEach) {
#pragma omp taskyield
        }
        for (int turn = 0; turn < kTurns; turn++) {
          count[group]++;
          const int ahead = abs(count[0] - count[1]);
          if (ahead > largest) largest = ahead;
#pragma omp taskyield
        }
      }
    }
#pragma omp taskwait
    CHECK(count[0] == kEach * kTurns && count[1] == kEach * kTurns);
  }
  if (largest > kBound) printf("one group was %d turns ahead\n", largest);
  CHECK(largest <= kBound);
}

// A group of twice as many tasks gets twice as many turns.
static void larger_groups_get_more_turns(void) {
  enum { kEach = 4, kTurns = 500, kBound = 4 * kEach };
  int started = 0, largest = 0, ended = 0, count[2] = {0, 0};
#pragma omp parallel num_threads(1) shared(started, largest, ended, count)
  {
    for (int i = 0; i < 3 * kEach; i++) {
      const int group = i % 3 == 0 ? 0 : 1;
#pragma omp task shared(started, largest, ended, count) firstprivate(group)
      {
        started++;
        while (*(volatile int*)&started < 3 * kEach) {
#pragma omp taskyield
        }
        for (int turn = 0; turn < kTurns; turn++) {
          count[group]++;
          const int ahead = abs(2 * count[0] - count[1]);
          if (ahead > largest) largest = ahead;
#pragma omp taskyield
        }
        ended++;
      }
    }
#pragma omp taskwait
    CHECK(ended == 3 * kEach);
  }
  if (largest > kBound) printf("one group was %d turns ahead\n", largest);
  CHECK(largest <= kBound);
}

// A task that yields does so beside others that are created all the time: both make progress.
static void tasks_that_yield_and_new_tasks_share_a_thread(void) {
  enum { kNew = 2000 };
  int yields = 0, executed = 0, is_over = 0;
#pragma omp parallel num_threads(1) shared(yields, executed, is_over)
  {
#pragma omp task shared(yields, is_over)
    while (*(volatile int*)&is_over == 0) {
      yields++;
#pragma omp taskyield
    }
    for (int i = 0; i < kNew; i++) {
#pragma omp task shared(executed)
      executed++;
#pragma omp taskyield
    }
    is_over = 1;
#pragma omp taskwait
  }
  CHECK(executed == kNew);
  CHECK(yields >= kNew / 4);
}

int main(void) {
  consumers_poll_until_a_later_task_produces(40);
  each_polls_for_the_next(30);
  polling_tasks_do_other_things(30);
  equal_groups_stay_side_by_side();
  larger_groups_get_more_turns();
  tasks_that_yield_and_new_tasks_share_a_thread();
  return 0;
}
