// Tasks are suspended in whatever constructs programs use besides: loops, sections, taskloops, cancelled
// groups, tasks with a detach clause, tasks with handles; pollers fulfil their events, and
// threads that OpenMP does not know wait themselves.
#include <omp.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "heddle.h"
#include "outsider.h"
#include "rerun.h"

enum { kTasks = 30 };

static outsider g_outsider;

// -- Pollers

static _Atomic size_t g_pending[kTasks];

static void fulfill_what_is_pending(void* argument) {
  (void)argument;
  for (int i = 0; i < kTasks; i++) {
    const size_t event = atomic_exchange(&g_pending[i], 0);
    if (event != 0) omp_fulfill_event((omp_event_handle_t)event);
  }
}

static void pollers_fulfill_events(unsigned interval_us) {
  int ended = 0;
  const heddle_poller_t poller = heddle_register_poller(fulfill_what_is_pending, NULL, interval_us);
  CHECK(poller != NULL);
#pragma omp parallel shared(ended)
#pragma omp single
  for (int i = 0; i < kTasks; i++) {
#pragma omp task shared(ended) firstprivate(i)
    {
      for (int k = 0; k < 3; k++) {
        const omp_event_handle_t event = omp_task_continuation_event();
        atomic_store(&g_pending[i], (size_t)event);
        omp_taskwait_detach(event);
      }
#pragma omp atomic
      ended++;
    }
  }
  heddle_unregister_poller(poller);
  CHECK(ended == kTasks);
}

// A thread that comes for the first time, if one does soon.
static void let_a_new_thread_fulfill(void* argument) {
  static _Thread_local int calls;
  static _Atomic int passes;
  if (calls++ > 0 && atomic_fetch_add(&passes, 1) % 100 != 99) {
    sched_yield();
    return;
  }
  fulfill_what_is_pending(argument);
}

// Threads that have not met a region yet, and have no task, call pollers as well.
static void new_threads_fulfill_events(void) {
  const heddle_poller_t poller = heddle_register_poller(let_a_new_thread_fulfill, NULL, 0);
  CHECK(poller != NULL);
  for (int threads = 2; threads <= kTasks; threads++) {
    const omp_event_handle_t event = omp_task_continuation_event();
    atomic_store(&g_pending[0], (size_t)event);
#pragma omp parallel num_threads(threads)
#pragma omp master
    omp_taskwait_detach(event);
  }
  heddle_unregister_poller(poller);
}

// -- Threads that OpenMP does not know

static void* wait_in_a_foreign_thread(void* argument) {
  for (int i = 0; i < 20; i++) wait_for_outsider(&g_outsider);
  int sum = 0;
#pragma omp parallel num_threads(2) reduction(+ : sum)
  {
    wait_for_outsider(&g_outsider);
    sum += 1;
  }
  CHECK(sum >= 1);
  return argument;
}

static void foreign_threads_wait(void) {
  pthread_t threads[3];
  for (int i = 0; i < 3; i++) CHECK(pthread_create(&threads[i], NULL, wait_in_a_foreign_thread, NULL) == 0);
  for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
}

// -- Worksharing and taskloops

static void loops_and_sections_are_suspended(void) {
  int sum = 0, ordered_next = 0, singles = 0;
#pragma omp parallel shared(sum, ordered_next, singles)
  {
#pragma omp for schedule(dynamic) reduction(+ : sum)
    for (int i = 0; i < kTasks; i++) {
      wait_for_outsider(&g_outsider);
      sum += i;
    }
#pragma omp for ordered schedule(static, 1)
    for (int i = 0; i < kTasks; i++) {
      if (i % 3 == 0) wait_for_outsider(&g_outsider);
#pragma omp ordered
      {
        CHECK(ordered_next == i);
        wait_for_outsider(&g_outsider);
        ordered_next++;
      }
    }
#pragma omp sections
    {
#pragma omp section
      wait_for_outsider(&g_outsider);
#pragma omp section
      wait_for_outsider(&g_outsider);
    }
#pragma omp single
    {
      wait_for_outsider(&g_outsider);
      singles++;
    }
  }
  CHECK(sum == kTasks * (kTasks - 1) / 2 && ordered_next == kTasks && singles == 1);
}

static void taskloops_are_suspended(void) {
  int sum = 0;
#pragma omp parallel shared(sum)
#pragma omp single
  {
#pragma omp taskloop grainsize(2) reduction(+ : sum)
    for (int i = 0; i < kTasks; i++) {
      if (i % 2 == 0) wait_for_outsider(&g_outsider);
      sum += i;
    }
    CHECK(sum == kTasks * (kTasks - 1) / 2);
  }
}

// -- Tasks that end otherwise

// Their bodies are suspended; they are complete when both events are fulfilled.
static void tasks_with_a_detach_clause_are_suspended(void) {
  atomic_int bodies = 0, ends = 0;
#pragma omp parallel shared(bodies, ends)
#pragma omp single
  for (int i = 0; i < kTasks; i++) {
    int order = 0;
    omp_event_handle_t completion = (omp_event_handle_t)no_event();
#pragma omp task detach(completion) depend(out : order) shared(bodies, order)
    {
      order = 1;
      hand_to(&g_outsider, completion);
      wait_for_outsider(&g_outsider);
      atomic_fetch_add(&bodies, 1);
    }
#pragma omp task depend(in : order) shared(bodies, ends, order)
    {
      CHECK(order == 1 && atomic_load(&bodies) >= 1);
      wait_for_outsider(&g_outsider);
      atomic_fetch_add(&ends, 1);
    }
#pragma omp taskwait
    CHECK(atomic_load(&bodies) == i + 1 && atomic_load(&ends) == i + 1);
  }
}

// A cancelled group ends when those of its tasks have that had begun.
static void cancelled_groups_end(void) {
  atomic_int ended = 0, began = 0;
#pragma omp parallel shared(ended, began)
#pragma omp single
  {
#pragma omp taskgroup
    {
      for (int i = 0; i < kTasks; i++) {
#pragma omp task shared(ended, began) firstprivate(i)
        {
          atomic_fetch_add(&began, 1);
          wait_for_outsider(&g_outsider);
          if (i == kTasks / 2) {
            atomic_fetch_add(&ended, 1);
#pragma omp cancel taskgroup
            atomic_fetch_sub(&ended, 1);  // cancellation is disabled
          }
          wait_for_outsider(&g_outsider);
          atomic_fetch_add(&ended, 1);
        }
      }
    }
    CHECK(atomic_load(&ended) == atomic_load(&began));
  }
}

// -- What heddle.h offers

// A task that is executed out of turn is suspended, and who has started it with it.
static void tasks_with_handles_are_suspended(void) {
  int ended = 0;
  heddle_set_throttle(HEDDLE_HOLD, 0);
#pragma omp parallel shared(ended)
#pragma omp single
  for (int i = 0; i < kTasks; i++) {
    heddle_task_t handle = NULL;
    heddle_next_task_handle(&handle);
#pragma omp task shared(ended)
    {
      wait_for_outsider(&g_outsider);
#pragma omp atomic
      ended++;
    }
    const bool has_run = heddle_run_task(&handle) == heddle_run_done;
    int seen;
#pragma omp atomic read
    seen = ended;
    CHECK(!has_run || seen >= 1);
#pragma omp taskwait
    CHECK(ended == i + 1);
  }
  heddle_set_throttle(0, 0);
}

// -- The end of the program, from the stack of a task that has been suspended.

static void end_the_program_in_a_task(void) {
#pragma omp parallel
#pragma omp single
  {
#pragma omp task
    {
      wait_for_outsider(&g_outsider);
      exit(7);
    }
#pragma omp taskwait
  }
}

int main(int count, char** arguments) {
  (void)arguments;
  start_outsider(&g_outsider, 0);
  if (count > 1) {
    end_the_program_in_a_task();
    return 1;
  }
  new_threads_fulfill_events();
  pollers_fulfill_events(0);
  pollers_fulfill_events(200);

  foreign_threads_wait();
  loops_and_sections_are_suspended();
  taskloops_are_suspended();
  tasks_with_a_detach_clause_are_suspended();
  cancelled_groups_end();
  tasks_with_handles_are_suspended();
  CHECK(rerun("", "exit")->status == 7);
  CHECK(rerun("OMP_CANCELLATION=true", "exit")->status == 7);
  end_outsider(&g_outsider);
  return 0;
}
