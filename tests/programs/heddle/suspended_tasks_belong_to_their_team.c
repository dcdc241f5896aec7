// In nested regions a suspended task goes on in its own team, on its own thread, whoever fulfils its event:
// a thread of an inner team, of an outer team, or the same thread in another team.
#include <omp.h>

#include "check.h"
#include "heddle.h"
#include "outsider.h"

enum { kTasks = 12, kRounds = 10, kInner = 3 };

static outsider g_outsider;

static void wait_in_place(omp_event_handle_t event) {
  const int thread = omp_get_thread_num(), team = omp_get_num_threads(), level = omp_get_level();
  const int above = omp_get_ancestor_thread_num(level - 1);
  omp_taskwait_detach(event);
  CHECK(omp_get_thread_num() == thread && omp_get_num_threads() == team);
  CHECK(omp_get_level() == level && omp_get_ancestor_thread_num(level - 1) == above);
}

// Tasks of the outer team are suspended while its threads make teams of their own, which fulfil the events.
static void inner_teams_fulfill_events_of_the_outer(void) {
  int ended = 0;
#pragma omp parallel shared(ended)
#pragma omp single
  for (int round = 0; round < kRounds; round++) {
    omp_event_handle_t events[kTasks];
    for (int i = 0; i < kTasks; i++) events[i] = omp_task_continuation_event();
    for (int i = 0; i < kTasks; i++) {
#pragma omp task shared(ended, events) firstprivate(i)
      {
        wait_in_place(events[i]);
#pragma omp atomic
        ended++;
      }
    }
#pragma omp task shared(events)
#pragma omp parallel num_threads(kInner) shared(events)
    {
#pragma omp for
      for (int i = 0; i < kTasks; i++) {
        if (i % 2 == 0) omp_fulfill_event(events[i]);
#pragma omp task shared(events) firstprivate(i)
        if (i % 2 == 1) omp_fulfill_event(events[i]);
      }
    }
#pragma omp taskwait
    int seen;
#pragma omp atomic read
    seen = ended;
    CHECK(seen == (round + 1) * kTasks);
  }
}

// Tasks and implicit tasks of inner teams are suspended; tasks of the outer team, or nobody but a thread
// outside, fulfil their events.
static void the_outer_team_fulfills_events_of_inner_ones(void) {
  int ended = 0;
#pragma omp parallel shared(ended)
#pragma omp single
  for (int round = 0; round < kRounds; round++) {
    omp_event_handle_t events[kInner];
    for (int i = 0; i < kInner; i++) events[i] = omp_task_continuation_event();
    // A thread alone is in the inner team itself when the events are to be fulfilled.
    const int is_alone = omp_get_num_threads() == 1;
#pragma omp task if (!is_alone) shared(events) firstprivate(is_alone)
    for (int i = 0; i < kInner; i++) {
      if (is_alone)
        hand_to(&g_outsider, events[i]);
      else
        omp_fulfill_event(events[i]);
    }
#pragma omp parallel num_threads(kInner) shared(ended, events)
    {
      const int threads = omp_get_num_threads();
      for (int i = omp_get_thread_num(); i < kInner; i += threads) wait_in_place(events[i]);
#pragma omp task shared(ended)
      {
        const omp_event_handle_t event = omp_task_continuation_event();
        hand_to(&g_outsider, event);
        wait_in_place(event);
#pragma omp atomic
        ended++;
      }
#pragma omp barrier
      const omp_event_handle_t event = omp_task_continuation_event();
      hand_to(&g_outsider, event);
      wait_in_place(event);
    }
#pragma omp taskwait
  }
  CHECK(ended >= kRounds);
}

// Every task opens a region, whose tasks are suspended and open another; all at once.
static void regions_inside_suspended_tasks(int depth) {
  if (depth == 0) return;
#pragma omp parallel num_threads(2)
  {
    for (int i = 0; i < 2; i++) {
#pragma omp task firstprivate(depth)
      {
        const omp_event_handle_t event = omp_task_continuation_event();
        hand_to(&g_outsider, event);
        wait_in_place(event);
        regions_inside_suspended_tasks(depth - 1);
      }
    }
    const omp_event_handle_t event = omp_task_continuation_event();
    hand_to(&g_outsider, event);
    wait_in_place(event);
  }
}

// Teams come and go, each with tasks that are suspended when all of its threads wait at its end.
static void teams_end_when_their_suspended_tasks_have(void) {
  for (int round = 0; round < 10 * kRounds; round++) {
    int ended = 0;
#pragma omp parallel num_threads(1 + round % 5) shared(ended)
    {
      const omp_event_handle_t event = omp_task_continuation_event();
#pragma omp task shared(ended) firstprivate(event)
      {
        hand_to(&g_outsider, event);
        wait_in_place(event);
#pragma omp atomic
        ended++;
      }
    }
    CHECK(ended >= 1);
  }
}

int main(void) {
  omp_set_max_active_levels(5);
  start_outsider(&g_outsider, 50);
  inner_teams_fulfill_events_of_the_outer();
  the_outer_team_fulfills_events_of_inner_ones();
  regions_inside_suspended_tasks(4);
  teams_end_when_their_suspended_tasks_have();
  end_outsider(&g_outsider);
  return 0;
}
