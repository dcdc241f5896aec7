// The count of a task's events comes to zero and rises again while its body runs; the task is complete when
// the body has returned and the count is zero, and not before.
#include "support.h"

#include <omp.h>

static int has_events(struct alpi_task* task) {
  uint64_t has = 12345;
  CHECK_SUCCESS(alpi_task_events_test(task, &has));
  return has != 0;
}

static void the_count_follows(void) {
  struct alpi_task* const self = self_task();
  CHECK(!has_events(self));
  for (int i = 0; i < 5; ++i) {
    CHECK_SUCCESS(alpi_task_events_increase(self, 1));
    CHECK(has_events(self));
    CHECK_SUCCESS(alpi_task_events_increase(self, 6));
    CHECK_SUCCESS(alpi_task_events_decrease(self, 3));
    CHECK(has_events(self));
    CHECK_SUCCESS(alpi_task_events_decrease(self, 4));
    CHECK(!has_events(self));
  }
  // No events at all change nothing.
  CHECK_SUCCESS(alpi_task_events_increase(self, 0));
  CHECK(!has_events(self));
  CHECK_SUCCESS(alpi_task_events_decrease(self, 0));
  CHECK(!has_events(self));
}

static void the_body_itself_counts(void) {
  int x = 0;
  (void)x;
#pragma omp task depend(out : x) shared(x)
  {
    the_count_follows();
    CHECK_SUCCESS(alpi_task_waitfor_ns(50000, NULL));
    the_count_follows();
    x = 1;
  }
#pragma omp task depend(in : x) shared(x)
  CHECK(x == 1);  // not when the count came to zero
#pragma omp taskwait
}

// -- Somebody else decreases, at any time.

enum { kTasks = 400, kMost = 5 };

typedef struct {
  task_slot task;
  atomic_int counted;  // by the task
  atomic_int told;     // that there will be no more
  int letter;
  int is_complete;
} Request;

static Request g_requests[kTasks];

static void* decrease_at_once(void* argument) {
  for (int i = 0; i < kTasks; ++i) {
    Request* const request = &g_requests[i];
    struct alpi_task* const task = wait_for_task_outside(&request->task);
    int given = 0;
    for (;;) {
      const int is_last = atomic_load(&request->told);
      if (given < atomic_load(&request->counted)) {
        ++given;
        // The task may be over as soon as this was its last.
        if (given == kMost) request->letter = i + 1;
        CHECK_SUCCESS(alpi_task_events_decrease(task, 1));
      } else if (is_last) {
        break;
      } else {
        sched_yield();
      }
    }
    CHECK(given == kMost);
  }
  return argument;
}

static void others_decrease_while_the_body_runs(void) {
  memset(g_requests, 0, sizeof g_requests);
  const pthread_t thread = start_foreign_thread(decrease_at_once, NULL);
  for (int i = 0; i < kTasks; ++i) {
    Request* const request = &g_requests[i];
#pragma omp task depend(out : *request) firstprivate(request, i)
    {
      struct alpi_task* const self = self_task();
      for (int j = 0; j < kMost; ++j) {
        CHECK_SUCCESS(alpi_task_events_increase(self, 1));
        atomic_fetch_add(&request->counted, 1);
        if (j == 0) atomic_store(&request->task, self);
        if ((i + j) % 3 == 0) CHECK_SUCCESS(alpi_task_waitfor_ns(0, NULL));
        if ((i + j) % 7 == 0) CHECK_SUCCESS(alpi_task_waitfor_ns(1000, NULL));
      }
      atomic_store(&request->told, 1);
    }
#pragma omp task depend(in : *request) firstprivate(request, i)
    {
      CHECK(request->letter == i + 1);
      request->is_complete = 1;
    }
  }
#pragma omp taskwait
  pthread_join(thread, NULL);
  for (int i = 0; i < kTasks; ++i) CHECK(g_requests[i].is_complete == 1);
}

// -- Blocking and events in the same task.

static void* unblock_and_decrease(void* argument) {
  Request* const request = argument;
  struct alpi_task* const task = wait_for_task_outside(&request->task);
  CHECK_SUCCESS(alpi_task_events_decrease(task, 1));
  pause_thread_us(200);
  CHECK_SUCCESS(alpi_task_unblock(task));
  pause_thread_us(200);
  request->letter = 9;
  CHECK_SUCCESS(alpi_task_events_decrease(task, 1));
  return NULL;
}

static void tasks_with_events_block(void) {
  Request request = {0};
  int x = 0;
  (void)x;
  const pthread_t thread = start_foreign_thread(unblock_and_decrease, &request);
#pragma omp task depend(out : x) shared(request)
  {
    struct alpi_task* const self = self_task();
    CHECK_SUCCESS(alpi_task_events_increase(self, 2));
    atomic_store(&request.task, self);
    CHECK_SUCCESS(alpi_task_block(self));
  }
#pragma omp task depend(in : x) shared(request)
  CHECK(request.letter == 9);
#pragma omp taskwait
  pthread_join(thread, NULL);
}

int main(void) {
  find_alpi();
  CHECK_SUCCESS(alpi_version_check(1, 2));
  the_count_follows();  // the initial task
#pragma omp parallel
  {
    the_count_follows();
#pragma omp barrier
#pragma omp single
    {
      for (int i = 0; i < 20; ++i) {
        the_body_itself_counts();
        tasks_with_events_block();
      }
      others_decrease_while_the_body_runs();
      others_decrease_while_the_body_runs();
    }
  }
  CHECK(omp_in_parallel() == 0);
}
