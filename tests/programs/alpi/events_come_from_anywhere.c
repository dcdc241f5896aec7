// Events of a task come from spawned tasks, from tasks of the same region, from tasks of another, and from
// threads that OpenMP does not know; what those wrote is seen by the successors.
#include "support.h"

#include <omp.h>

enum { kTasks = 100 };

typedef struct {
  task_slot task;
  int letter;
  int is_read;
} Request;

static void begin(Request* request) {
  struct alpi_task* const self = self_task();
  CHECK_SUCCESS(alpi_task_events_increase(self, 1));
  atomic_store(&request->task, self);
}

static void arrive(Request* request) {
  request->letter = 3;
  CHECK_SUCCESS(alpi_task_events_decrease(atomic_load(&request->task), 1));
}

static void create_with_successors(Request* requests) {
  for (int i = 0; i < kTasks; ++i) {
    Request* const request = &requests[i];
#pragma omp task depend(out : *request) firstprivate(request)
    begin(request);
#pragma omp task depend(in : *request) firstprivate(request)
    {
      CHECK(request->letter == 3);
      request->is_read = 1;
    }
  }
}

static void check_all_are_read(Request* requests) {
  for (int i = 0; i < kTasks; ++i) CHECK(requests[i].is_read == 1);
  free(requests);
}

static Request* make_requests(void) {
  Request* const requests = calloc(kTasks, sizeof *requests);
  CHECK(requests != NULL);
  return requests;
}

// -- spawned tasks: one that has all, in no order; and one each

static void spawned_for_all(void* argument) {
  Request* const requests = argument;
  for (int left = kTasks; left > 0;) {
    for (int i = 0; i < kTasks; ++i) {
      if (requests[i].letter != 0 || atomic_load(&requests[i].task) == NULL) continue;
      arrive(&requests[i]);
      --left;
    }
    CHECK_SUCCESS(alpi_task_waitfor_ns(10000, NULL));
  }
}

static void a_spawned_task_decreases(void) {
  atomic_int ends = 0;
  Request* const requests = make_requests();
  CHECK_SUCCESS(alpi_task_spawn(spawned_for_all, requests, count_up, &ends, "answers", NULL));
  create_with_successors(requests);
#pragma omp taskwait
  wait_for_number(&ends, 1);
  check_all_are_read(requests);
}

static void spawned_for_one(void* argument) {
  Request* const request = argument;
  wait_for_task(&request->task);
  arrive(request);
}

static void many_spawned_tasks_decrease(void) {
  atomic_int ends = 0;
  Request* const requests = make_requests();
  for (int i = 0; i < kTasks; ++i)
    CHECK_SUCCESS(alpi_task_spawn(spawned_for_one, &requests[i], count_up, &ends, NULL, NULL));
  create_with_successors(requests);
#pragma omp taskwait
  wait_for_number(&ends, kTasks);
  check_all_are_read(requests);
}

// -- tasks

static void other_tasks_decrease(void) {
  Request* const requests = make_requests();
  create_with_successors(requests);
  for (int i = kTasks - 1; i >= 0; --i) {
    Request* const request = &requests[i];
#pragma omp task firstprivate(request)
    spawned_for_one(request);
  }
#pragma omp taskwait
  check_all_are_read(requests);
}

static void a_completing_task_decreases_in_a_row(void) {
  Request* const requests = make_requests();
  int x = 0;
  (void)x;
  create_with_successors(requests);
  for (int i = 0; i < kTasks; ++i) {
    Request* const request = &requests[i];
#pragma omp task depend(inout : x) firstprivate(request)
    spawned_for_one(request);
  }
#pragma omp taskwait
  check_all_are_read(requests);
}

// -- threads

static void* outside_for_all(void* argument) {
  Request* const requests = argument;
  for (int i = kTasks - 1; i >= 0; --i) {
    wait_for_task_outside(&requests[i].task);
    arrive(&requests[i]);
  }
  return NULL;
}

static void a_foreign_thread_decreases(void) {
  Request* const requests = make_requests();
  const pthread_t thread = start_foreign_thread(outside_for_all, requests);
  create_with_successors(requests);
#pragma omp taskwait
  pthread_join(thread, NULL);
  check_all_are_read(requests);
}

// A thread with a region of its own.
static void* tasks_outside_for_all(void* argument) {
  Request* const requests = argument;
#pragma omp parallel num_threads(2)
#pragma omp for
  for (int i = 0; i < kTasks; ++i) {
    wait_for_task_outside(&requests[i].task);
    arrive(&requests[i]);
  }
  return NULL;
}

static void another_region_decreases(void) {
  Request* const requests = make_requests();
  const pthread_t thread = start_foreign_thread(tasks_outside_for_all, requests);
  create_with_successors(requests);
#pragma omp taskwait
  pthread_join(thread, NULL);
  check_all_are_read(requests);
}

int main(void) {
  find_alpi();
  CHECK_SUCCESS(alpi_version_check(1, 2));
  for (int i = 0; i < 5; ++i) {
#pragma omp parallel
#pragma omp single
    {
      a_spawned_task_decreases();
      many_spawned_tasks_decrease();
      other_tasks_decrease();
      a_completing_task_decreases_in_a_row();
      a_foreign_thread_decreases();
      another_region_decreases();
    }
  }
  a_spawned_task_decreases();  // outside of regions
  a_foreign_thread_decreases();
}
