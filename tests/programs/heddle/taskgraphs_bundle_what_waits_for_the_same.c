// Tasks of a record that wait for the same, and for which the same waits, are executed as one where they are
// short. Nobody notices: they run side by side where one of them waits for another, and leave children
// behind.
#include <omp.h>
#include <stdatomic.h>

#include "check.h"
#include "heddle.h"

enum { kTasks = 64, kRounds = 30 };

static int first, sum;
static int parts[kTasks];
static atomic_int children;

// One before all, one after all.
static void everybody_runs_once_and_in_between(void) {
  int times_created = 0;
#pragma omp parallel
#pragma omp single
  for (int round = 1; round <= kRounds; round++) {
    HEDDLE_TASKGRAPH() {
      times_created++;
#pragma omp task depend(out : first)
      first++;
      for (int i = 0; i < kTasks; i++) {
#pragma omp task depend(in : first) firstprivate(i)
        parts[i] += first;
      }
#pragma omp task depend(inout : first)
      {
        sum = 0;
        for (int i = 0; i < kTasks; i++) sum += parts[i];
      }
    }
    CHECK(sum == kTasks * round * (round + 1) / 2);
  }
  CHECK(times_created == 1);
}

// Short in all executions but the last, in which the first waits for the last: by any number of threads.
static void one_may_wait_for_another(int threads) {
  int times_created = 0;
  static atomic_int waits, has_come;
  atomic_store(&waits, 0);
  atomic_store(&has_come, 0);
#pragma omp parallel num_threads(threads)
#pragma omp single
  for (int round = 0; round < 200; round++) {
    atomic_store(&waits, round == 199);
    HEDDLE_TASKGRAPH() {
      times_created++;
      for (int i = 0; i < 8; i++) {
#pragma omp task firstprivate(i)
        {
          if (i == 0)
            while (atomic_load(&waits) && !atomic_load(&has_come)) {
#pragma omp taskyield
            }
          if (i == 7 && atomic_load(&waits)) atomic_store(&has_come, 1);
        }
      }
    }
  }
  CHECK(atomic_load(&has_come) == 1);
  CHECK(times_created == 1 || threads == 1);
}

static void they_may_leave_children(void) {
  int times_created = 0;
  atomic_store(&children, 0);
#pragma omp parallel
#pragma omp single
  for (int round = 1; round <= kRounds; round++) {
    HEDDLE_TASKGRAPH() {
      times_created++;
      for (int i = 0; i < kTasks; i++) {
#pragma omp task firstprivate(i)
        {
          for (int k = 0; k < i % 4; k++) {
#pragma omp task
            atomic_fetch_add(&children, 1);
          }
          if (i % 8 == 3) {
#pragma omp taskwait
          }
        }
      }
    }
    CHECK(atomic_load(&children) == round * kTasks / 4 * 6);
  }
  CHECK(times_created == 1);
}

int main(void) {
  everybody_runs_once_and_in_between();
  one_may_wait_for_another(2);
  one_may_wait_for_another(1);
  they_may_leave_children();
  return 0;
}
