// Tasks with detach are recorded: in every execution what depends on one waits for its event, which is known
// by the same handle each time, inside its body and outside.
#include <omp.h>
#include <pthread.h>
#include <stdatomic.h>

#include "check.h"
#include "heddle.h"

enum { kRounds = 20, kEvents = 6 };

static _Atomic(omp_event_handle_t*) posted;  // to the other thread
static atomic_int is_over;

static void* fulfill_what_is_posted(void* unused) {
  while (!atomic_load(&is_over)) {
    omp_event_handle_t* const event = atomic_exchange(&posted, NULL);
    if (event != NULL) omp_fulfill_event(*event);
  }
  return unused;
}

// The body hands its event to a thread outside, and returns before or after that fulfils it.
static void another_thread_fulfills_events(void) {
  int times_created = 0;
  static omp_event_handle_t handed;
  static int value, seen;
  value = seen = 0;
#pragma omp parallel
#pragma omp single
  for (int round = 0; round < kRounds; round++) {
    HEDDLE_TASKGRAPH() {
      times_created++;
      omp_event_handle_t event;
#pragma omp task detach(event) depend(out : value)
      {
        value++;
        handed = event;
        atomic_store(&posted, &handed);
      }
#pragma omp task depend(in : value)
      {
        CHECK(atomic_load(&posted) == NULL);
        seen += value;
      }
    }
    CHECK(seen == (round + 1) * (round + 2) / 2);
  }
  CHECK(times_created == 1);
}

// A body that fulfils its own event; several in a row, and with a wait in the region.
static void bodies_fulfill_their_own(void) {
  int times_created = 0;
  static int order[kEvents], next;
#pragma omp parallel
#pragma omp single
  for (int round = 0; round < kRounds; round++) {
    next = 0;
    HEDDLE_TASKGRAPH() {
      times_created++;
      for (int i = 0; i < kEvents; i++) {
        omp_event_handle_t event;
#pragma omp task detach(event) depend(inout : next) firstprivate(i)
        {
          order[i] = next++;
          omp_fulfill_event(event);
        }
        if (i == kEvents / 2) {
#pragma omp taskwait
          CHECK(next == i + 1);
        }
      }
    }
    for (int i = 0; i < kEvents; i++) CHECK(order[i] == i);
  }
  CHECK(times_created == 1);
}

// Another task of the region fulfils it, perhaps before the body begins.
static void other_tasks_fulfill_events(void) {
  int times_created = 0;
  static atomic_int bodies, ends;
  static int done;
  atomic_store(&bodies, 0);
  atomic_store(&ends, 0);
#pragma omp parallel
#pragma omp single
  for (int round = 0; round < kRounds; round++) {
    HEDDLE_TASKGRAPH() {
      times_created++;
      omp_event_handle_t event;
#pragma omp task detach(event) depend(out : done)
      done = atomic_fetch_add(&bodies, 1) + 1;
#pragma omp task firstprivate(event)
      omp_fulfill_event(event);
#pragma omp task depend(in : done)
      CHECK(atomic_fetch_add(&ends, 1) + 1 == done);
    }
    CHECK(atomic_load(&bodies) == round + 1);
    CHECK(atomic_load(&ends) == round + 1);
  }
  CHECK(times_created == 1);
}

// In replays, which know its handle beforehand, the task that it waits for fulfils it.
static void events_are_fulfilled_before_their_task_is_ready(void) {
  int times_created = 0;
  static omp_event_handle_t handle;
  static int value, seen, is_replay;
  value = is_replay = 0;
#pragma omp parallel
#pragma omp single
  for (int round = 0; round < kRounds; round++) {
    HEDDLE_TASKGRAPH() {
      times_created++;
      omp_event_handle_t event;
#pragma omp task depend(inout : value)
      {
        value++;
        if (is_replay) omp_fulfill_event(handle);
      }
#pragma omp task detach(event) depend(inout : value)
      {
        value++;
        if (!is_replay) omp_fulfill_event(event);
      }
      handle = event;
#pragma omp task depend(in : value)
      seen = value;
    }
    is_replay = 1;
    CHECK(value == 2 * (round + 1));
    CHECK(seen == value);
  }
  CHECK(times_created == 1);
}

// Where the region's own code does, a record would lack it: the region is executed plainly, as the log says.
static void regions_that_fulfill_events_are_not_replayed(void) {
  int times_created = 0;
  static atomic_int bodies;
  atomic_store(&bodies, 0);
#pragma omp parallel
#pragma omp single
  for (int round = 0; round < kRounds; round++) {
    HEDDLE_TASKGRAPH() {
      times_created++;
      omp_event_handle_t event;
#pragma omp task detach(event)
      atomic_fetch_add(&bodies, 1);
      omp_fulfill_event(event);
#pragma omp taskwait
      CHECK(atomic_load(&bodies) == round + 1);
    }
  }
  CHECK(times_created == kRounds);
}

// Executed plainly, as the log says.
static void regions_without_a_group_have_them_too(void) {
  int times_created = 0;
  static atomic_int bodies;
  atomic_store(&bodies, 0);
#pragma omp parallel
#pragma omp single
  for (int round = 0; round < kRounds; round++) {
    HEDDLE_TASKGRAPH(.nogroup = 1) {
      times_created++;
      omp_event_handle_t event;
#pragma omp task detach(event)
      {
        atomic_fetch_add(&bodies, 1);
        omp_fulfill_event(event);
      }
    }
  }
  CHECK(atomic_load(&bodies) == kRounds);
  CHECK(times_created == kRounds);
}

int main(void) {
  pthread_t other;
  CHECK(pthread_create(&other, NULL, fulfill_what_is_posted, NULL) == 0);
  another_thread_fulfills_events();
  bodies_fulfill_their_own();
  other_tasks_fulfill_events();
  events_are_fulfilled_before_their_task_is_ready();
  regions_that_fulfill_events_are_not_replayed();
  regions_without_a_group_have_them_too();
  atomic_store(&is_over, 1);
  pthread_join(other, NULL);
  return 0;
}
