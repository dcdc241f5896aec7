// A task may be suspended while it holds a lock or is in a critical region: others that want in wait without
// keeping their thread from the owner, which may be the very thread that the owner goes on with.
#include <omp.h>

#include "check.h"
#include "heddle.h"
#include "outsider.h"

enum { kTasks = 30, kRounds = 5 };

static outsider g_outsider;
static omp_lock_t g_lock;
static omp_nest_lock_t g_nest_lock;
static int g_inside, g_entered;

// How a task is suspended while it is inside.
static void leave_the_thread(int way) {
  switch (way % 4) {
    case 0:
      wait_for_outsider(&g_outsider);
      break;
    case 1:
      for (int i = 0; i < 3; i++) {
#pragma omp taskyield
      }
      break;
    case 2:
      heddle_task_sleep_ns(200000);
      break;
    default: {
#pragma omp task
      {
#pragma omp taskyield
      }
#pragma omp taskwait
    }
  }
}

static void stay_inside(int way) {
  CHECK(g_inside++ == 0);
  leave_the_thread(way);
  CHECK(--g_inside == 0);
  g_entered++;
}

static void under_a_lock(int i) {
  omp_set_lock(&g_lock);
  stay_inside(i);
  omp_unset_lock(&g_lock);
}

// The task owns the lock, not the thread: another task of the same thread does not get in.
static void under_a_nest_lock(int i) {
  omp_set_nest_lock(&g_nest_lock);
  omp_set_nest_lock(&g_nest_lock);
  stay_inside(i);
  CHECK(omp_test_nest_lock(&g_nest_lock) == 3);
  omp_unset_nest_lock(&g_nest_lock);
  omp_unset_nest_lock(&g_nest_lock);
  omp_unset_nest_lock(&g_nest_lock);
}

static void in_a_critical_region(int i) {
#pragma omp critical
  stay_inside(i);
}

static void in_a_named_critical_region(int i) {
#pragma omp critical(named)
  stay_inside(i);
}

static void all_tasks_get_in(void (*enter)(int), int by_implicit_tasks) {
  g_entered = 0;
  int threads = 1;
#pragma omp parallel shared(threads)
  {
#pragma omp single
    {
      threads = omp_get_num_threads();
      for (int i = 0; i < kTasks; i++) {
#pragma omp task firstprivate(i)
        enter(i);
      }
    }
    if (by_implicit_tasks) enter(omp_get_thread_num());
  }
  CHECK(g_entered == kTasks + (by_implicit_tasks ? threads : 0));
}

// The one that would let the owner go on is created last, and wants the lock no more than others do.
static void the_owner_waits_for_a_later_task(void) {
  int entered = 0;
#pragma omp parallel shared(entered)
#pragma omp single
  for (int round = 0; round < kRounds; round++) {
    const omp_event_handle_t event = omp_task_continuation_event();
#pragma omp task shared(entered) firstprivate(event)
    {
      omp_set_lock(&g_lock);
      omp_taskwait_detach(event);
      entered++;
      omp_unset_lock(&g_lock);
    }
    for (int i = 0; i < 5; i++) {
#pragma omp task shared(entered)
      {
        omp_set_lock(&g_lock);
        entered++;
        omp_unset_lock(&g_lock);
      }
    }
#pragma omp task firstprivate(event)
    omp_fulfill_event(event);
#pragma omp taskwait
    CHECK(entered == 6 * (round + 1));
  }
}

// Those that only test the lock find it taken, by whatever thread.
static void tests_fail_while_the_owner_is_suspended(void) {
#pragma omp parallel
#pragma omp single
  {
    const omp_event_handle_t is_taken = omp_task_continuation_event(), event = omp_task_continuation_event();
#pragma omp task firstprivate(is_taken, event)
    {
      omp_set_lock(&g_lock);
      omp_set_nest_lock(&g_nest_lock);
      omp_fulfill_event(is_taken);
      omp_taskwait_detach(event);
      omp_unset_nest_lock(&g_nest_lock);
      omp_unset_lock(&g_lock);
    }
    omp_taskwait_detach(is_taken);
    CHECK(!omp_test_lock(&g_lock));
    CHECK(omp_test_nest_lock(&g_nest_lock) == 0);
    omp_fulfill_event(event);
#pragma omp taskwait
    CHECK(omp_test_lock(&g_lock));
    omp_unset_lock(&g_lock);
    CHECK(omp_test_nest_lock(&g_nest_lock) == 1);
    omp_unset_nest_lock(&g_nest_lock);
  }
}

int main(void) {
  start_outsider(&g_outsider, 100);
  omp_init_lock(&g_lock);
  omp_init_nest_lock(&g_nest_lock);
  for (int by_implicit_tasks = 0; by_implicit_tasks < 2; by_implicit_tasks++) {
    all_tasks_get_in(under_a_lock, by_implicit_tasks);
    all_tasks_get_in(under_a_nest_lock, by_implicit_tasks);
    all_tasks_get_in(in_a_critical_region, by_implicit_tasks);
    all_tasks_get_in(in_a_named_critical_region, by_implicit_tasks);
  }
  the_owner_waits_for_a_later_task();
  tests_fail_while_the_owner_is_suspended();
  omp_destroy_nest_lock(&g_nest_lock);
  omp_destroy_lock(&g_lock);
  end_outsider(&g_outsider);
  return 0;
}
