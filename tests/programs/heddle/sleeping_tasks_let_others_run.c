// A task that sleeps leaves its thread to others: many sleep at once on one thread, for as long as they asked
// for or longer, and what else there is to do is done meanwhile.
#include <omp.h>

#include "check.h"
#include "heddle.h"
#include "outsider.h"

enum { kTasks = 200, kSleepNs = 20 * 1000 * 1000 };

static outsider g_outsider;

static void sleep_and_compare(unsigned long long ns) {
  const double began = omp_get_wtime();
  const int thread = omp_get_thread_num();
  heddle_task_sleep_ns(ns);
  CHECK(omp_get_wtime() - began >= 1e-9 * (double)ns * 0.999);
  CHECK(omp_get_thread_num() == thread);
}

// One after the other they would last for four seconds.
static void many_sleep_at_once(void) {
  int ended = 0;
  const double began = omp_get_wtime();
#pragma omp parallel num_threads(1) shared(ended)
  {
    for (int i = 0; i < kTasks; i++) {
#pragma omp task shared(ended)
      {
        sleep_and_compare(kSleepNs);
        ended++;
      }
    }
#pragma omp taskwait
    CHECK(ended == kTasks);
  }
  CHECK(omp_get_wtime() - began < 0.5 * kTasks * 1e-9 * kSleepNs);
}

// The sleeper's thread executes what its creator has for it.
static void others_run_meanwhile(void) {
  static int executed, executed_at_waking;
#pragma omp parallel num_threads(1)
  {
#pragma omp task
    {
      sleep_and_compare(5ull * kSleepNs);
      executed_at_waking = executed;
    }
    for (int i = 0; i < 50; i++) {
#pragma omp task
      executed++;
    }
#pragma omp taskwait
  }
  CHECK(executed == 50 && executed_at_waking == 50);
}

// Whoever sleeps shorter wakes first, whenever it lay down, if the thread has nothing else to do.
static void the_first_that_is_due_wakes_first(void) {
  enum { kSleepers = 10 };
  int order[kSleepers], next = 0;
#pragma omp parallel num_threads(1) shared(order, next)
  {
    for (int i = 0; i < kSleepers; i++) {
#pragma omp task shared(order, next) firstprivate(i)
      {
        sleep_and_compare((unsigned long long)(kSleepers - i) * kSleepNs);
        order[next++] = i;
      }
    }
#pragma omp taskwait
  }
  for (int i = 0; i < kSleepers; i++) CHECK(order[i] == kSleepers - 1 - i);
}

// A team's tasks sleep for different times, some for none, wait for events between, and sleep again.
static void sleep_and_events_take_turns(void) {
  int ended = 0;
#pragma omp parallel shared(ended)
#pragma omp single
  for (int i = 0; i < kTasks; i++) {
#pragma omp task shared(ended) firstprivate(i)
    {
      for (int k = 0; k < 3; k++) {
        sleep_and_compare((unsigned long long)((i * 7 + k) % 5) * 300000);
        const omp_event_handle_t event = omp_task_continuation_event();
        hand_to(&g_outsider, event);
        omp_taskwait_detach(event);
      }
#pragma omp atomic
      ended++;
    }
  }
  CHECK(ended == kTasks);
}

// An event comes while the thread sleeps for a time that is far away: nobody waits for that.
static void an_event_comes_before_the_sleeper_is_due(void) {
  const double began = omp_get_wtime();
  double event_came = 0, sleeper_woke = 0;
#pragma omp parallel shared(event_came, sleeper_woke)
#pragma omp single
  {
#pragma omp task shared(sleeper_woke)
    {
      sleep_and_compare(30ull * kSleepNs);
      sleeper_woke = omp_get_wtime();
    }
#pragma omp task shared(event_came)
    {
      const omp_event_handle_t event = omp_task_continuation_event();
      hand_to(&g_outsider, event);
      omp_taskwait_detach(event);
      event_came = omp_get_wtime();
    }
  }
  CHECK(event_came > began && event_came < sleeper_woke);
}

// Implicit tasks, code outside of regions, and for no time at all.
static void whoever_is_no_explicit_task_sleeps_too(void) {
  sleep_and_compare(kSleepNs / 10);
  sleep_and_compare(0);
#pragma omp parallel
  {
    sleep_and_compare((unsigned long long)omp_get_thread_num() * 1000000);
#pragma omp barrier
    sleep_and_compare(0);
  }
}

int main(void) {
  start_outsider(&g_outsider, 0);
  many_sleep_at_once();
  others_run_meanwhile();
  the_first_that_is_due_wakes_first();
  sleep_and_events_take_turns();
  an_event_comes_before_the_sleeper_is_due();
  whoever_is_no_explicit_task_sleeps_too();
  end_outsider(&g_outsider);
  return 0;
}
