// A task that waits for an event goes on once, after the event is fulfilled, whoever does that and when: the
// task itself before it waits, another task, another thread of the team, a thread that OpenMP does not know.
#include <omp.h>
#include <stdatomic.h>

#include "check.h"
#include "heddle.h"
#include "outsider.h"

enum { kRounds = 200 };

static outsider g_outsider;

static void by_itself_before_it_waits(void) {
  int went_on = 0;
#pragma omp parallel shared(went_on)
#pragma omp single
  for (int i = 0; i < kRounds; i++) {
#pragma omp task shared(went_on)
    {
      const omp_event_handle_t event = omp_task_continuation_event();
      omp_fulfill_event(event);
      omp_taskwait_detach(event);
#pragma omp atomic
      went_on++;
    }
  }
  CHECK(went_on == kRounds);
}

// Several events of one task, waited for in another order than they were asked for.
static void a_task_has_several_at_a_time(void) {
  enum { kEvents = 5 };
  int went_on = 0;
#pragma omp parallel shared(went_on)
#pragma omp single
  for (int i = 0; i < kRounds / 10; i++) {
#pragma omp task shared(went_on)
    {
      omp_event_handle_t events[kEvents];
      int fulfilled[kEvents] = {0};
      for (int k = 0; k < kEvents; k++) events[k] = omp_task_continuation_event();
      for (int k = 0; k < kEvents; k++)
        for (int other = 0; other < k; other++) CHECK(events[k] != events[other]);
      for (int k = 0; k < kEvents; k++) {
#pragma omp task shared(events, fulfilled) firstprivate(k)
        {
          fulfilled[k] = k + 1;
          omp_fulfill_event(events[k]);
        }
      }
      for (int k = kEvents - 1; k >= 0; k--) {
        omp_taskwait_detach(events[k]);
        CHECK(fulfilled[k] == k + 1);
      }
#pragma omp taskwait
#pragma omp atomic
      went_on++;
    }
  }
  CHECK(went_on == kRounds / 10);
}

// The creator asks for the event, one task waits and another fulfils it, created before that one or after it.
static void by_another_task(void) {
  int went_on = 0;
#pragma omp parallel shared(went_on)
#pragma omp single
  for (int i = 0; i < kRounds; i++) {
    const omp_event_handle_t event = omp_task_continuation_event();
    int* const value = malloc(sizeof *value);
    *value = 0;
    for (int part = 0; part < 2; part++) {
      const int waits = (part + i) % 2 == 0;
#pragma omp task shared(went_on) firstprivate(i, waits, event, value)
      {
        if (waits) {
          omp_taskwait_detach(event);
          CHECK(*value == i + 1);
          free(value);
#pragma omp atomic
          went_on++;
        } else {
          *value = i + 1;
          omp_fulfill_event(event);
        }
      }
    }
  }
  CHECK(went_on == kRounds);
}

// One waits for the other, over and over.
static void two_tasks_by_turns(void) {
  omp_event_handle_t ping[kRounds], pong[kRounds];
  int turns = 0;
#pragma omp parallel shared(ping, pong, turns)
#pragma omp single
  {
    for (int i = 0; i < kRounds; i++) {
      ping[i] = omp_task_continuation_event();
      pong[i] = omp_task_continuation_event();
    }
#pragma omp task shared(ping, pong, turns)
    for (int i = 0; i < kRounds; i++) {
      omp_taskwait_detach(ping[i]);
      CHECK(turns++ == 2 * i);
      omp_fulfill_event(pong[i]);
    }
#pragma omp task shared(ping, pong, turns)
    for (int i = 0; i < kRounds; i++) {
      omp_fulfill_event(ping[i]);
      omp_taskwait_detach(pong[i]);
      CHECK(turns++ == 2 * i + 1);
    }
  }
  CHECK(turns == 2 * kRounds);
}

// Each asks, hands its event over and waits, again and again: the same memory serves many lives.
static void by_a_thread_outside(int tasks, int delay_us) {
  int went_on = 0;
  start_outsider(&g_outsider, delay_us);
#pragma omp parallel shared(went_on)
#pragma omp single
  for (int i = 0; i < tasks; i++) {
#pragma omp task shared(went_on)
    {
      for (int k = 0; k < 3; k++) {
        const omp_event_handle_t event = omp_task_continuation_event();
        hand_to(&g_outsider, event);
        omp_taskwait_detach(event);
      }
#pragma omp atomic
      went_on++;
    }
  }
  CHECK(went_on == tasks);
  end_outsider(&g_outsider);
}

// Undeferred tasks leave their thread as well, and their creator with them.
static void undeferred_tasks_wait_too(void) {
  int went_on = 0;
#pragma omp parallel shared(went_on)
#pragma omp single
  for (int i = 0; i < kRounds; i++) {
    const omp_event_handle_t event = omp_task_continuation_event();
#pragma omp task firstprivate(event)
    omp_fulfill_event(event);
#pragma omp task if (0) shared(went_on) firstprivate(event)
    {
      omp_taskwait_detach(event);
      went_on++;
    }
    CHECK(went_on == i + 1);
  }
  CHECK(went_on == kRounds);
}

// Implicit tasks: each waits for its neighbour, who goes on only then.
static void implicit_tasks_wait_for_each_other(void) {
  enum { kMost = 64 };
  omp_event_handle_t events[kMost];
  int last = -1;
#pragma omp parallel shared(events, last)
  {
    const int me = omp_get_thread_num(), threads = omp_get_num_threads();
    CHECK(threads <= kMost);
    for (int round = 0; round < kRounds / 10; round++) {
      events[me] = omp_task_continuation_event();
#pragma omp barrier
      if (me == 0) {
        last = 0;
        if (threads > 1)
          omp_fulfill_event(events[1]);
        else
          omp_fulfill_event(events[0]);
        omp_taskwait_detach(events[0]);
        CHECK(last == threads - 1);
      } else {
        omp_taskwait_detach(events[me]);
        CHECK(last == me - 1);
        last = me;
        omp_fulfill_event(events[(me + 1) % threads]);
      }
#pragma omp barrier
    }
  }
}

static void outside_parallel_regions(void) {
  start_outsider(&g_outsider, 500);
  for (int i = 0; i < 20; i++) {
    const omp_event_handle_t event = omp_task_continuation_event();
    hand_to(&g_outsider, event);
    omp_taskwait_detach(event);
  }
  end_outsider(&g_outsider);
}

// All threads have nothing to do, and sleep, when the event comes.
static void after_all_threads_fell_asleep(void) {
  int went_on = 0;
  start_outsider(&g_outsider, 30000);
#pragma omp parallel shared(went_on)
  {
    const omp_event_handle_t event = omp_task_continuation_event();
#pragma omp task shared(went_on) firstprivate(event)
    {
      hand_to(&g_outsider, event);
      omp_taskwait_detach(event);
#pragma omp atomic
      went_on++;
    }
  }
  CHECK(went_on >= 1);
  end_outsider(&g_outsider);
}

int main(void) {
  by_itself_before_it_waits();
  a_task_has_several_at_a_time();
  by_another_task();
  two_tasks_by_turns();
  by_a_thread_outside(kRounds, 0);
  by_a_thread_outside(20, 300);
  undeferred_tasks_wait_too();
  implicit_tasks_wait_for_each_other();
  outside_parallel_regions();
  after_all_threads_fell_asleep();
  return 0;
}
