// A task is complete when its body has returned and its events have come: until then successors, taskwait,
// taskgroup, barriers and the end of the region wait.
#include "support.h"

#include <omp.h>

typedef struct {
  task_slot task;
  atomic_int body_has_ended;
  int letter;  // written before the last event comes
  int copies;  // how many have read it
} Request;

static void begin(Request* request, uint64_t events) {
  struct alpi_task* const self = self_task();
  CHECK_SUCCESS(alpi_task_events_increase(self, events));
  uint64_t has = 0;
  CHECK_SUCCESS(alpi_task_events_test(self, &has));
  CHECK(has != 0);
  atomic_store(&request->task, self);
  atomic_store(&request->body_has_ended, 1);
}

static void arrive(Request* request, uint64_t events) {
  request->letter = 42;
  CHECK_SUCCESS(alpi_task_events_decrease(atomic_load(&request->task), events));
}

static void read_letter(Request* request) {
  CHECK(request->letter == 42);
  ++request->copies;
}

static void let_others_run(int times) {
  for (int i = 0; i < times; ++i) CHECK_SUCCESS(alpi_task_waitfor_ns(20000, NULL));
}

static void* arrive_from_outside(void* argument) {
  Request* const request = argument;
  wait_for_task_outside(&request->task);
  while (atomic_load(&request->body_has_ended) == 0) pause_thread_us(50);
  pause_thread_us(500);
  arrive(request, 1);
  return NULL;
}

// -- successors

static void successors_wait_for_the_last_event(void) {
  Request request = {0};
  int x = 0;
  (void)x;
#pragma omp task depend(out : x) shared(request)
  begin(&request, 5);
#pragma omp task depend(in : x) shared(request)
  read_letter(&request);
  wait_for_number(&request.body_has_ended, 1);
  let_others_run(5);
  struct alpi_task* const task = atomic_load(&request.task);
  for (int i = 0; i < 2; ++i) {
    CHECK_SUCCESS(alpi_task_events_decrease(task, 2));
    uint64_t has = 0;
    CHECK_SUCCESS(alpi_task_events_test(task, &has));
    CHECK(has != 0);
    let_others_run(5);
    CHECK(request.copies == 0);
  }
  arrive(&request, 1);
#pragma omp taskwait
  CHECK(request.copies == 1);
}

static void undeferred_and_final_tasks_have_successors_too(void) {
  Request requests[2] = {0};
  int x = 0, y = 0;
  (void)x, (void)y;
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) threads[i] = start_foreign_thread(arrive_from_outside, &requests[i]);
#pragma omp task if (0) depend(out : x) shared(requests)
  begin(&requests[0], 1);
#pragma omp task depend(in : x) shared(requests)
  read_letter(&requests[0]);
#pragma omp task final(1) depend(out : y) shared(requests)
  begin(&requests[1], 1);
#pragma omp task depend(in : y) shared(requests)
  read_letter(&requests[1]);
#pragma omp taskwait
  for (int i = 0; i < 2; ++i) {
    CHECK(requests[i].copies == 1);
    pthread_join(threads[i], NULL);
  }
}

// Each link of the chain is a request of its own; the answers come from one thread, in order.
enum { kChain = 300 };

static void* arrive_in_order(void* argument) {
  Request* const chain = argument;
  for (int i = 0; i < kChain; ++i) {
    wait_for_task_outside(&chain[i].task);
    arrive(&chain[i], 1);
  }
  return NULL;
}

static void chains_go_on_link_by_link(void) {
  Request* const chain = calloc(kChain, sizeof *chain);
  int x = 0;
  (void)x;
  const pthread_t thread = start_foreign_thread(arrive_in_order, chain);
  for (int i = 0; i < kChain; ++i) {
#pragma omp task depend(inout : x) firstprivate(i)
    {
      if (i > 0) read_letter(&chain[i - 1]);
      begin(&chain[i], 1);
    }
  }
#pragma omp taskwait
  for (int i = 0; i < kChain; ++i) CHECK(chain[i].letter == 42);
  pthread_join(thread, NULL);
  free(chain);
}

// -- waits

static void taskwait_waits(void) {
  Request request = {0};
  const pthread_t thread = start_foreign_thread(arrive_from_outside, &request);
#pragma omp task shared(request)
  begin(&request, 1);
#pragma omp taskwait
  read_letter(&request);
  pthread_join(thread, NULL);
}

static void taskgroup_waits_for_descendants(void) {
  Request request = {0};
  const pthread_t thread = start_foreign_thread(arrive_from_outside, &request);
#pragma omp taskgroup
  {
#pragma omp task shared(request)
    {
#pragma omp task shared(request)
      begin(&request, 1);
    }
  }
  read_letter(&request);
  pthread_join(thread, NULL);
}

static void taskwait_for_a_dependence_waits(void) {
  Request request = {0};
  int x = 0;
  (void)x;
  const pthread_t thread = start_foreign_thread(arrive_from_outside, &request);
#pragma omp task depend(out : x) shared(request)
  begin(&request, 1);
#pragma omp taskwait depend(in : x)
  read_letter(&request);
  pthread_join(thread, NULL);
}

static void barriers_wait(void) {
  Request first = {0}, second = {0};
  const pthread_t threads[2] = {start_foreign_thread(arrive_from_outside, &first),
                                start_foreign_thread(arrive_from_outside, &second)};
#pragma omp parallel shared(first, second)
  {
#pragma omp master
    {
#pragma omp task
      begin(&first, 1);
    }
#pragma omp barrier
    CHECK(first.letter == 42);
#pragma omp single nowait
    {
#pragma omp task
      begin(&second, 1);
    }
  }
  CHECK(second.letter == 42);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
}

// An implicit task is complete when its region ends.
static void regions_wait_for_events_of_implicit_tasks(void) {
  enum { kMostThreads = 64 };
  static Request requests[kMostThreads];
  pthread_t threads[kMostThreads];
  int team = 0;
  memset(requests, 0, sizeof requests);
#pragma omp parallel shared(team)
  {
    Request* const own = &requests[omp_get_thread_num()];
#pragma omp single
    team = omp_get_num_threads();
    CHECK(team <= kMostThreads);
    threads[omp_get_thread_num()] = start_foreign_thread(arrive_from_outside, own);
    begin(own, 1);
  }
  for (int i = 0; i < team; ++i) {
    read_letter(&requests[i]);
    pthread_join(threads[i], NULL);
  }
}

int main(void) {
  find_alpi();
  CHECK_SUCCESS(alpi_version_check(1, 2));
  taskwait_waits();
  taskgroup_waits_for_descendants();
  taskwait_for_a_dependence_waits();
  for (int i = 0; i < 10; ++i) {
    barriers_wait();
    regions_wait_for_events_of_implicit_tasks();
  }
#pragma omp parallel
#pragma omp single
  {
    for (int i = 0; i < 10; ++i) {
      successors_wait_for_the_last_event();
      taskwait_waits();
      taskgroup_waits_for_descendants();
      taskwait_for_a_dependence_waits();
    }
    chains_go_on_link_by_link();
    undeferred_and_final_tasks_have_successors_too();
  }
}
