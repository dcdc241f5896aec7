// Where a thread executes a task the moment it creates it, and that task suspends, the creator goes on, and
// may fulfil the event afterwards: with one thread nobody else could.
#include <omp.h>

#include "check.h"
#include "heddle.h"

enum { kTasks = 50, kDepth = 40 };

// Lets others have their turns until the task has said which event it waits for.
static omp_event_handle_t wait_until_posted(omp_event_handle_t* place) {
  omp_event_handle_t event;
  for (;;) {
#pragma omp atomic read acquire
    event = *place;
    if ((size_t)event != 0) return event;
#pragma omp taskyield
  }
}

static void wait_for_own_event(omp_event_handle_t* place) {
  const omp_event_handle_t event = omp_task_continuation_event();
#pragma omp atomic write release
  *place = event;
  omp_taskwait_detach(event);
}

static void one_after_the_other(void) {
  int ended = 0;
#pragma omp parallel num_threads(1) shared(ended)
  for (int i = 0; i < kTasks; i++) {
    omp_event_handle_t posted = (omp_event_handle_t)0;
#pragma omp task shared(ended, posted)
    {
      wait_for_own_event(&posted);
      ended++;
    }
    const omp_event_handle_t event = wait_until_posted(&posted);
    CHECK(ended == i);
    omp_fulfill_event(event);
#pragma omp taskwait
    CHECK(ended == i + 1);
  }
}

// All are suspended when the creator fulfils the first event.
static void all_before_the_first(void) {
  omp_event_handle_t posted[kTasks] = {0};
  int ended = 0;
#pragma omp parallel num_threads(1) shared(ended, posted)
  {
    for (int i = 0; i < kTasks; i++) {
#pragma omp task shared(ended, posted) firstprivate(i)
      {
        wait_for_own_event(&posted[i]);
        ended++;
      }
    }
    for (int i = 0; i < kTasks; i++) wait_until_posted(&posted[i]);
    CHECK(ended == 0);
    for (int i = kTasks - 1; i >= 0; i--) omp_fulfill_event(posted[i]);
#pragma omp taskwait
    CHECK(ended == kTasks);
  }
}

// Each creates the next, which suspends; then it fulfils that one's event, and waits for it.
static int descend(int depth) {
  if (depth == 0) return 0;
  omp_event_handle_t posted = (omp_event_handle_t)0;
  int below = -1;
#pragma omp task shared(posted, below) firstprivate(depth)
  {
    wait_for_own_event(&posted);
    below = descend(depth - 1);
  }
  const omp_event_handle_t event = wait_until_posted(&posted);
  CHECK(below == -1);
  omp_fulfill_event(event);
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
    omp_event_handle_t posted = (omp_event_handle_t)0;
#pragma omp task final(1) shared(ended, posted)
    {
#pragma omp task shared(ended, posted)
      {
        wait_for_own_event(&posted);
        CHECK(ended++ == 0);
      }
#pragma omp taskwait
      CHECK(ended++ == 1);
    }
    const omp_event_handle_t event = wait_until_posted(&posted);
    CHECK(ended == 0);
    omp_fulfill_event(event);
#pragma omp taskwait
    CHECK(ended == 2);
  }
}

int main(void) {
  one_after_the_other();
  all_before_the_first();
  each_creates_the_next();
  with_a_team();
  included_tasks_suspend_with_their_creators();
  return 0;
}
