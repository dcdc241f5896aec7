// Where a thread executes a task the moment it creates it, and that task suspends, the creator goes on, and
// may fulfil the event afterwards: with one thread nobody else could.
#include <omp.h>

#include "check.h"
#include "heddle.h"

enum { kTasks = 50, kDepth = 40 };

typedef struct {
  omp_event_handle_t is_there;  // the task says that it is about to wait
  omp_event_handle_t awaited;
} Appointment;

static Appointment make_appointment(void) {
  const Appointment made = {omp_task_continuation_event(), omp_task_continuation_event()};
  return made;
}

// The task.
static void keep(Appointment made) {
  omp_fulfill_event(made.is_there);
  omp_taskwait_detach(made.awaited);
}

static void one_after_the_other(void) {
  int ended = 0;
#pragma omp parallel num_threads(1) shared(ended)
  for (int i = 0; i < kTasks; i++) {
    const Appointment made = make_appointment();
#pragma omp task shared(ended) firstprivate(made)
    {
      keep(made);
      ended++;
    }
    omp_taskwait_detach(made.is_there);
    CHECK(ended == i);
    omp_fulfill_event(made.awaited);
#pragma omp taskwait
    CHECK(ended == i + 1);
  }
}

// All are suspended when the creator fulfils the first event.
static void all_before_the_first(void) {
  Appointment made[kTasks];
  int ended = 0;
#pragma omp parallel num_threads(1) shared(ended, made)
  {
    for (int i = 0; i < kTasks; i++) {
      made[i] = make_appointment();
#pragma omp task shared(ended, made) firstprivate(i)
      {
        keep(made[i]);
        ended++;
      }
    }
    for (int i = 0; i < kTasks; i++) omp_taskwait_detach(made[i].is_there);
    CHECK(ended == 0);
    for (int i = kTasks - 1; i >= 0; i--) omp_fulfill_event(made[i].awaited);
#pragma omp taskwait
    CHECK(ended == kTasks);
  }
}

// Each creates the next, which suspends; then it fulfils that one's event, and waits for it.
static int descend(int depth) {
  if (depth == 0) return 0;
  const Appointment made = make_appointment();
  int below = -1;
#pragma omp task shared(below) firstprivate(depth, made)
  {
    keep(made);
    below = descend(depth - 1);
  }
  omp_taskwait_detach(made.is_there);
  CHECK(below == -1);
  omp_fulfill_event(made.awaited);
#pragma omp taskwait
  return below + 1;
}

static void each_creates_the_next(void) {
#pragma omp parallel num_threads(1)
  CHECK(descend(kDepth) == kDepth);
}

// The task waits for what its creator does only after the creation, by any number of threads.
static void with_a_team(void) {
#pragma omp parallel
  CHECK(descend(kDepth / 2) == kDepth / 2);
}

// Included tasks: the creator of a final task waits, but that one's creator goes on.
static void included_tasks_suspend_with_their_creators(void) {
  int ended = 0;
#pragma omp parallel num_threads(1) shared(ended)
  {
    const Appointment made = make_appointment();
#pragma omp task final(1) shared(ended) firstprivate(made)
    {
#pragma omp task shared(ended) firstprivate(made)
      {
        keep(made);
        CHECK(ended++ == 0);
      }
#pragma omp taskwait
      CHECK(ended++ == 1);
    }
    omp_taskwait_detach(made.is_there);
    CHECK(ended == 0);
    omp_fulfill_event(made.awaited);
#pragma omp taskwait
    CHECK(ended == 2);
  }
}

// A creator that goes on early waits for the task that it was left for, although that one has not left its
// thread by itself: it was put off for a child, which let the creator go on.
static void waits_for_a_task_put_off_for_its_child(void) {
  int of_child = 0, ended = 0;
#pragma omp parallel num_threads(1) shared(of_child, ended)
  for (int i = 0; i < kTasks; i++) {
#pragma omp taskgroup
    {
#pragma omp task shared(of_child, ended)
      {
#pragma omp task shared(of_child) depend(out : of_child)
        {
#pragma omp taskyield
          of_child++;
        }
#pragma omp task
        {
#pragma omp task
          heddle_task_sleep_ns(100000);
#pragma omp taskwait
        }
        ended++;
      }
      if (i % 2 == 0) {
#pragma omp taskwait
        CHECK(ended == i + 1);
      }
    }
    CHECK(ended == i + 1 && of_child == i + 1);
  }
}

int main(void) {
  one_after_the_other();
  all_before_the_first();
  each_creates_the_next();
  with_a_team();
  included_tasks_suspend_with_their_creators();
  waits_for_a_task_put_off_for_its_child();
  return 0;
}
