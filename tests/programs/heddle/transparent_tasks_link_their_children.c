// What a transparent task's children name in depend clauses is ordered with what its siblings name, and
// nothing else of the task is waited for. Bodies wait for each other by flags: where an order is not what it
// should be, they never meet.
#include <omp.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

#include "check.h"
#include "heddle.h"

enum { kRounds = 20, kShortUs = 200, kPatienceS = 20 };

static atomic_int here[4];

static void arrive(int flag) {
  atomic_store(&here[flag], 1);
}

// Waits in a body for another task's. The thread is not free meanwhile: another one executes that.
static void await(int flag) {
  const time_t began = time(NULL);
  while (atomic_load(&here[flag]) == 0) {
    CHECK(time(NULL) - began < kPatienceS);
    usleep(10);
  }
}

static void forget(void) {
  for (int i = 0; i < 4; i++) atomic_store(&here[i], 0);
}

// A weak address: the task begins before the sibling that writes there ends; its child does not.
static void task_does_not_wait_for_what_is_weak(void) {
  int cell = 0, seen = 0;
  forget();
#pragma omp task depend(out : cell) shared(cell)
  {
    await(0);
    usleep(kShortUs);
    cell = 7;
  }
  heddle_next_task_weak(&cell);
#pragma omp task depend(in : cell) shared(cell, seen)
  {
    arrive(0);
#pragma omp task depend(in : cell) shared(cell, seen)
    seen = cell;
  }
#pragma omp taskwait
  CHECK(seen == 7);
}

// A later sibling waits for the children that name its address: one that names another waits for it.
static void siblings_wait_for_children_that_concern_them(void) {
  int first = 0, second = 0, seen = 0;
  forget();
  heddle_next_task_weak(NULL);
#pragma omp task depend(inout : first, second) shared(first, second)
  {
#pragma omp task depend(out : first) shared(first)
    {
      usleep(kShortUs);
      first = 3;
    }
#pragma omp task depend(out : second) shared(second)
    {
      await(1);
      second = 5;
    }
  }
#pragma omp task depend(in : first) shared(first, seen)
  {
    seen = first;
    arrive(1);
  }
#pragma omp task depend(inout : second) shared(second)
  second *= 2;
#pragma omp taskwait
  CHECK(seen == 3 && second == 10);
}

// What is not weak the task waits for; siblings wait for its children all the same.
static void strong_addresses_are_waited_for_and_handed_on(void) {
  int strong = 0, weak = 0;
#pragma omp task depend(out : strong) shared(strong)
  {
    usleep(kShortUs);
    strong = 1;
  }
  heddle_next_task_weak(&weak);
#pragma omp task depend(inout : strong, weak) shared(strong, weak)
  {
    CHECK(strong == 1);
    strong = 2;
#pragma omp task depend(inout : strong) shared(strong)
    {
      usleep(kShortUs);
      CHECK(strong == 2);
      strong = 3;
    }
#pragma omp task depend(out : weak) shared(weak)
    weak = 4;
  }
#pragma omp task depend(in : strong, weak) shared(strong, weak)
  CHECK(strong == 3 && weak == 4);
#pragma omp taskwait
}

// Through two levels, and through tasks that create nothing.
static void levels_are_passed(void) {
  enum { kLevels = 30 };
  int cell = 0;
  for (int i = 0; i < kLevels; i++) {
    heddle_next_task_weak(NULL);
#pragma omp task depend(inout : cell) shared(cell) firstprivate(i)
    {
      if (i % 3 != 2) {
        heddle_next_task_weak(NULL);
#pragma omp task depend(inout : cell) shared(cell) firstprivate(i)
        {
#pragma omp task depend(inout : cell) shared(cell) firstprivate(i)
          {
            if (i == 0) usleep(kShortUs);
            CHECK(cell == i - i / 3);
            cell++;
          }
        }
      }
    }
  }
#pragma omp taskwait
  CHECK(cell == kLevels - kLevels / 3);
}

// A wait in such a task leaves its thread, which may be the only one: what the child waits for is executed.
static void tasks_may_wait_for_their_children(void) {
  int cell = 0;
#pragma omp task depend(out : cell) shared(cell)
  {
    usleep(kShortUs);
    cell = 1;
  }
  for (int i = 1; i < 4; i++) {
    heddle_next_task_weak(NULL);
#pragma omp task depend(inout : cell) shared(cell) firstprivate(i)
    {
#pragma omp task depend(inout : cell) shared(cell) firstprivate(i)
      {
        CHECK(cell == i);
        cell++;
      }
#pragma omp taskwait
      CHECK(cell == i + 1);
    }
  }
#pragma omp taskwait
  CHECK(cell == 4);
}

// The standard's clause: whatever the children name, with and without a depend clause of the task's own.
static void whatever_children_name_is_ordered(void) {
  int first = 0, second = 0, third = 0;
#pragma omp task depend(out : first) shared(first)
  {
    usleep(kShortUs);
    first = 1;
  }
  heddle_next_task_transparent();
#pragma omp task shared(first, second)
  {
#pragma omp task depend(in : first) depend(out : second) shared(first, second)
    {
      usleep(kShortUs);
      second = first + 1;
    }
  }
  heddle_next_task_transparent();
#pragma omp task depend(in : first) shared(first, second, third)
  {
    CHECK(first == 1);
#pragma omp task depend(in : second) depend(out : third) shared(second, third)
    third = second + 1;
  }
#pragma omp task depend(in : third) shared(third)
  CHECK(third == 3);
#pragma omp taskwait
}

// Where the creator executes the task before it goes on, its children are still ordered with siblings. A
// wait for dependences between the request and the task is not what was meant.
static void undeferred_tasks_wait_for_their_children(void) {
  int cell = 0, other = 0;
#pragma omp task depend(out : cell) shared(cell)
  {
    usleep(kShortUs);
    cell = 1;
  }
  heddle_next_task_weak(NULL);
#pragma omp task depend(inout : cell) shared(cell) if (0)
  {
#pragma omp task depend(inout : cell) shared(cell)
    {
      usleep(kShortUs);
      cell = 2;
    }
  }
#pragma omp task depend(in : cell) shared(cell)
  CHECK(cell == 2);

  heddle_next_task_weak(&other);
#pragma omp taskwait depend(in : cell)
#pragma omp task depend(out : other) shared(other)
  {
#pragma omp task depend(out : other) shared(other)
    {
      usleep(kShortUs);
      other = 8;
    }
  }
#pragma omp task depend(in : other) shared(other)
  CHECK(other == 8);
#pragma omp taskwait
}

// The event of a detach clause: siblings wait for it, and for the children.
static void events_are_waited_for(void) {
  int cell = 0, is_fulfilled = 0;
  omp_event_handle_t event = (omp_event_handle_t)no_event();
  heddle_next_task_weak(NULL);
#pragma omp task depend(inout : cell) shared(cell) detach(event)
  {
#pragma omp task depend(inout : cell) shared(cell)
    cell = 6;
  }
#pragma omp task depend(in : cell) shared(cell, is_fulfilled)
  {
    int came = 0;
#pragma omp atomic read
    came = is_fulfilled;
    CHECK(cell == 6 && came);
  }
  usleep(kShortUs);
#pragma omp atomic write
  is_fulfilled = 1;
  omp_fulfill_event(event);
#pragma omp taskwait
}

// A taskgroup around the task ends after its children.
static void taskgroups_wait_for_children(void) {
  int cell = 0;
#pragma omp taskgroup
  {
    heddle_next_task_weak(NULL);
#pragma omp task depend(inout : cell) shared(cell)
    {
#pragma omp task depend(inout : cell) shared(cell)
      {
        usleep(kShortUs);
        cell = 9;
      }
    }
  }
  CHECK(cell == 9);
}

int main(void) {
  for (int round = 0; round < kRounds; round++) {
#pragma omp parallel
#pragma omp single
    {
      if (omp_get_num_threads() > 1) {
        task_does_not_wait_for_what_is_weak();
        siblings_wait_for_children_that_concern_them();
      }
      strong_addresses_are_waited_for_and_handed_on();
      levels_are_passed();
      tasks_may_wait_for_their_children();
      whatever_children_name_is_ordered();
      undeferred_tasks_wait_for_their_children();
      events_are_waited_for();
      taskgroups_wait_for_children();
    }
  }
  return 0;
}
