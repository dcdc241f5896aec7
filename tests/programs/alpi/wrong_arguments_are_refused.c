// Null pointers, tasks that are not the caller's and modes that do not exist are refused, and leave
// everything as it was.
#include "support.h"

#include <omp.h>

static void null_is_refused(void) {
  CHECK(alpi_task_self(NULL) == ALPI_ERR_PARAMETER);
  CHECK(alpi_task_block(NULL) == ALPI_ERR_PARAMETER);
  CHECK(alpi_task_unblock(NULL) == ALPI_ERR_PARAMETER);
  CHECK(alpi_task_events_increase(NULL, 1) == ALPI_ERR_PARAMETER);
  CHECK(alpi_task_events_decrease(NULL, 1) == ALPI_ERR_PARAMETER);
  uint64_t has = 0;
  CHECK(alpi_task_events_test(NULL, &has) == ALPI_ERR_PARAMETER);
  CHECK(alpi_task_events_test(self_task(), NULL) == ALPI_ERR_PARAMETER);
  CHECK(alpi_task_suspend(NULL) == ALPI_ERR_PARAMETER);
  CHECK(alpi_task_suspend_mode_set(NULL, ALPI_SUSPEND_MODE_SUBMIT, 0) == ALPI_ERR_PARAMETER);
}

static void spawned_tasks_need_both_functions(void) {
  atomic_int called = 0, ends = 0;
  CHECK(alpi_task_spawn(NULL, &called, count_up, &called, "no body", NULL) == ALPI_ERR_PARAMETER);
  CHECK(alpi_task_spawn(count_up, &called, NULL, &called, "no end", NULL) == ALPI_ERR_PARAMETER);
  CHECK(alpi_task_spawn(NULL, NULL, NULL, NULL, NULL, NULL) == ALPI_ERR_PARAMETER);
  CHECK_SUCCESS(alpi_task_spawn(ignore, NULL, count_up, &ends, NULL, NULL));
  wait_for_number(&ends, 1);
  CHECK(called == 0);
}

// The caller's own task alone blocks, counts events and suspends.
static void others_tasks_are_refused(struct alpi_task* other) {
  CHECK(other != self_task());
  CHECK(alpi_task_block(other) == ALPI_ERR_PARAMETER);
  CHECK(alpi_task_events_increase(other, 1) == ALPI_ERR_PARAMETER);
  CHECK(alpi_task_suspend(other) == ALPI_ERR_PARAMETER);
  CHECK(alpi_task_suspend_mode_set(other, ALPI_SUSPEND_MODE_SUBMIT, 0) == ALPI_ERR_PARAMETER);
  uint64_t has = 1;
  CHECK_SUCCESS(alpi_task_events_test(other, &has));
  CHECK(has == 0);
}

static void* others_tasks_are_refused_outside(void* task) {
  CHECK(alpi_task_block(task) != ALPI_SUCCESS);
  CHECK(alpi_task_events_increase(task, 1) != ALPI_SUCCESS);
  CHECK(alpi_task_suspend(task) != ALPI_SUCCESS);
  return NULL;
}

static void by_other_tasks_and_threads(void) {
  struct alpi_task* const self = self_task();
#pragma omp task
  others_tasks_are_refused(self);
#pragma omp taskwait
  const pthread_t thread = start_foreign_thread(others_tasks_are_refused_outside, self);
  pthread_join(thread, NULL);
  // A refused block has used up nothing.
  CHECK_SUCCESS(alpi_task_unblock(self));
  CHECK_SUCCESS(alpi_task_block(self));
}

static void body(void* argument) {
  others_tasks_are_refused(argument);
  struct alpi_task* const self = self_task();
  CHECK(alpi_task_suspend_mode_set(self, -1, 0) == ALPI_ERR_PARAMETER);
  CHECK(alpi_task_suspend_mode_set(self, ALPI_SUSPEND_MODE_EVENT_SUBMIT + 1, 0) == ALPI_ERR_PARAMETER);
  null_is_refused();
}

static void by_spawned_tasks(void) {
  atomic_int ends = 0;
  CHECK_SUCCESS(alpi_task_spawn(body, self_task(), count_up, &ends, NULL, NULL));
  wait_for_number(&ends, 1);
}

// A thread that OpenMP does not know is in no task, or in one of its own; it answers the same to all
// questions.
static void* thread_in_no_task(void* argument) {
  struct alpi_task* task = argument;
  CHECK_SUCCESS(alpi_task_self(&task));
  CHECK(task != argument);
  uint64_t actual = 0;
  const int wait = alpi_task_waitfor_ns(1000, &actual);
  if (task == NULL) CHECK(wait == ALPI_ERR_OUTSIDE_TASK);
  if (task != NULL) CHECK(wait == ALPI_SUCCESS && actual >= 1000);
  return NULL;
}

int main(void) {
  find_alpi();
  CHECK_SUCCESS(alpi_version_check(1, 2));
  null_is_refused();
  spawned_tasks_need_both_functions();
  by_other_tasks_and_threads();
  by_spawned_tasks();
#pragma omp parallel
  {
    null_is_refused();
    by_other_tasks_and_threads();
#pragma omp barrier
#pragma omp single
    {
      spawned_tasks_need_both_functions();
      by_spawned_tasks();
#pragma omp task
      {
        null_is_refused();
        by_other_tasks_and_threads();
        by_spawned_tasks();
      }
    }
  }
  const pthread_t thread = start_foreign_thread(thread_in_no_task, self_task());
  pthread_join(thread, NULL);
  return omp_in_parallel();
}
