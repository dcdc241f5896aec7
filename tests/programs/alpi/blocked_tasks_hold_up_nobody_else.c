// A wait that could go on does so, however many tasks have blocked on that thread meanwhile: also those that
// were started inside of that very wait.
#include "support.h"

#include <omp.h>

enum { kTasks = 8 };

typedef struct {
  task_slot task;
  int letter;  // in a structure: GCC copies a shared int that a task only reads
} Blocked;

static void block(Blocked* blocked) {
  atomic_store(&blocked->task, self_task());
  CHECK_SUCCESS(alpi_task_block(self_task()));
  CHECK(blocked->letter == 1);
}

static void unblock(Blocked* blocked) {
  struct alpi_task* const task = wait_for_task(&blocked->task);
  blocked->letter = 1;
  CHECK_SUCCESS(alpi_task_unblock(task));
}

// The tasks outside of the group are unblocked only behind its end, so it has to be left before they are
// over.
static void a_taskgroup_ends_while_others_are_blocked(void) {
  Blocked blocked[kTasks] = {0};
  atomic_int in_group = 0;
  for (int i = 0; i < kTasks; ++i) {
#pragma omp task shared(blocked) firstprivate(i)
    block(&blocked[i]);
  }
#pragma omp taskgroup
  {
    for (int i = 0; i < kTasks; ++i) {
#pragma omp task shared(in_group)
      atomic_fetch_add(&in_group, 1);
    }
  }
  CHECK(in_group == kTasks);
  for (int i = 0; i < kTasks; ++i) unblock(&blocked[i]);
#pragma omp taskwait
}

static void a_taskwait_for_dependences_ends_while_others_are_blocked(void) {
  Blocked blocked = {0};
  int x = 0;
#pragma omp task shared(blocked)
  block(&blocked);
#pragma omp task depend(out : x) shared(x)
  x = 1;
#pragma omp taskwait depend(in : x)
  CHECK(x == 1);
  unblock(&blocked);
#pragma omp taskwait
}

// One waits for its children; a sibling of its that blocks meanwhile is unblocked by it.
static void a_task_waits_for_children_while_siblings_are_blocked(void) {
  Blocked blocked = {0};
#pragma omp task shared(blocked)
  {
    atomic_int children = 0;
    for (int i = 0; i < kTasks; ++i) {
#pragma omp task shared(children)
      atomic_fetch_add(&children, 1);
    }
#pragma omp taskwait
    CHECK(children == kTasks);
    unblock(&blocked);
  }
#pragma omp task shared(blocked)
  block(&blocked);
#pragma omp taskwait
}

// A task that is blocked leaves its thread to the iterations of a loop, to tasks of a taskloop, and to
// regions.
static void constructs_go_on(void) {
  Blocked blocked = {0};
  atomic_int iterations = 0;
#pragma omp parallel shared(blocked, iterations)
  {
#pragma omp single nowait
    {
#pragma omp task
      block(&blocked);
#pragma omp taskyield
    }
#pragma omp for schedule(dynamic) nowait
    for (int i = 0; i < 100; ++i) atomic_fetch_add(&iterations, 1);
#pragma omp single
    {
#pragma omp taskloop grainsize(1)
      for (int i = 0; i < 100; ++i) atomic_fetch_add(&iterations, 1);
#pragma omp parallel for num_threads(2)
      for (int i = 0; i < 100; ++i) atomic_fetch_add(&iterations, 1);
      CHECK(iterations >= 200);
      unblock(&blocked);
    }
  }
  CHECK(iterations == 300);
}

int main(void) {
  find_alpi();
  CHECK_SUCCESS(alpi_version_check(1, 0));
#pragma omp parallel
#pragma omp single
  {
    a_taskgroup_ends_while_others_are_blocked();
    for (int i = 0; i < 50; ++i) {
      a_taskwait_for_dependences_ends_while_others_are_blocked();
      a_task_waits_for_children_while_siblings_are_blocked();
    }
  }
  // Outside of regions, where nobody else executes them.
  a_taskgroup_ends_while_others_are_blocked();
  a_taskwait_for_dependences_ends_while_others_are_blocked();
  a_task_waits_for_children_while_siblings_are_blocked();
  for (int i = 0; i < 50; ++i) constructs_go_on();
}
