// Pollers are called by threads that wait and by threads at work, at most once an interval, by one thread at
// a time, and never again once they are unregistered.
#include <omp.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "busy.h"
#include "check.h"
#include "heddle.h"

// -- Waiting: nothing but the poller completes what is waited for.

typedef struct {
  omp_event_handle_t event;
  int calls_left;
  atomic_int running;
  _Atomic(heddle_poller_t) self;
} Request;

static void complete_in_the_end(void* argument) {
  Request* request = argument;
  if (request->self == NULL) return;  // called before it was told who it is
  CHECK(atomic_fetch_add(&request->running, 1) == 0);
  last_for_us(20);
  const bool is_last = --request->calls_left == 0;
  CHECK(request->calls_left >= 0);
  if (is_last) heddle_unregister_poller(request->self);  // from inside
  atomic_fetch_sub(&request->running, 1);
  if (is_last) omp_fulfill_event(request->event);  // the request may be gone from here on
}

// Long intervals let all threads sleep meanwhile.
static void waits_are_ended_by_pollers(int calls, unsigned interval_us) {
  Request request = {.calls_left = calls};
  double began = 0;
#pragma omp parallel shared(request, began)
  {
#pragma omp single
    {
      omp_event_handle_t event;
      int ran = 0;
#pragma omp task detach(event) shared(ran)
      ran = 1;
      request.event = event;
      began = omp_get_wtime();
      request.self = heddle_register_poller(complete_in_the_end, &request, interval_us);
      CHECK(request.self != NULL);
#pragma omp taskwait
      CHECK(ran == 1 && request.calls_left == 0);
      CHECK(omp_get_wtime() - began >= 1e-6 * calls * interval_us);
    }
  }
}

// -- At work: who executes tasks polls between them.

static void count(void* argument) {
  atomic_fetch_add((atomic_int*)argument, 1);
}

static void busy_threads_poll_at_a_bounded_rate(void) {
  enum { kIntervalUs = 1000, kTasks = 400 };
  atomic_int calls = 0;
  const double began = omp_get_wtime();
  const heddle_poller_t poller = heddle_register_poller(count, &calls, kIntervalUs);
#pragma omp parallel
#pragma omp single
  {
    for (int i = 0; i < kTasks; i++) {
#pragma omp task
      last_for_us(50);
    }
  }
  heddle_unregister_poller(poller);
  const double elapsed_us = (omp_get_wtime() - began) * 1e6;
  const int called = calls;
  CHECK(called >= 1);
  CHECK(called <= elapsed_us / kIntervalUs);
#pragma omp parallel
  last_for_us(3 * kIntervalUs);
  CHECK(calls == called);
}

// Who has slept until a poller was due, and found work then, leaves polling to those that still sleep.
static void idle_threads_poll_while_others_work(void) {
  enum { kEvents = 30, kCalls = 5 };
  int threads = 0;
  Request request = {.calls_left = 0};
  atomic_int calls = 0;
  const heddle_poller_t counter = heddle_register_poller(count, &calls, 100);
#pragma omp parallel shared(threads, request, calls)
#pragma omp single
  {
    threads = omp_get_num_threads();
    for (int i = 0; i < kEvents && threads > 1; i++) {
      request.calls_left = 1;
      request.self = NULL;
      request.event = omp_task_continuation_event();
      last_for_us(2000);  // the others sleep
      request.self = heddle_register_poller(complete_in_the_end, &request, 20000);
      omp_taskwait_detach(request.event);
      const int before = calls;
      const double began = omp_get_wtime();
      while (calls < before + kCalls) CHECK(omp_get_wtime() - began < 20);
    }
  }
  heddle_unregister_poller(counter);
}

// A thread that begins to sleep when the last poller goes does not stand in the way of the next.
static void pollers_come_and_go(void) {
  enum { kTimes = 300 };
  for (int i = 0; i < kTimes; i++) {
    atomic_int calls = 0;
#pragma omp parallel
    last_for_us(1);
    const heddle_poller_t poller = heddle_register_poller(count, &calls, 0);
    last_for_us(20 + i % 50);
    heddle_unregister_poller(poller);
    if (i % 50 == 0) waits_are_ended_by_pollers(2, 100);
  }
}

static void there_is_room_for_64(void) {
  atomic_int calls = 0;
  heddle_poller_t pollers[65];
  for (int i = 0; i < 65; i++) {
    pollers[i] = heddle_register_poller(count, &calls, 1000000);
    CHECK((pollers[i] != NULL) == (i < 64));
  }
  for (int i = 0; i < 65; i++) heddle_unregister_poller(pollers[i]);
  pollers[0] = heddle_register_poller(count, &calls, 1000000);
  CHECK(pollers[0] != NULL);
  heddle_unregister_poller(pollers[0]);
}

int main(void) {
  waits_are_ended_by_pollers(3, 20000);
  waits_are_ended_by_pollers(50, 0);
  busy_threads_poll_at_a_bounded_rate();
  idle_threads_poll_while_others_work();
  pollers_come_and_go();
  there_is_room_for_64();
  return 0;
}
