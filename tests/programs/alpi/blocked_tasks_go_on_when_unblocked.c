// A task that blocks goes on when it is unblocked, once for each time, by whomever and whichever comes first;
// it sees what was written before, and is on the thread that it was on.
#include "support.h"

#include <omp.h>

typedef struct {
  task_slot task;
  int letter;  // not atomic: written before the task is unblocked, read behind
  atomic_int is_back;
} Blocked;

static void block_until_unblocked(Blocked* blocked) {
  struct alpi_task* const self = self_task();
  const int thread = omp_get_thread_num();
  atomic_store(&blocked->task, self);
  CHECK_SUCCESS(alpi_task_block(self));
  CHECK(blocked->letter == 42);
  CHECK(self_task() == self);
  CHECK(omp_get_thread_num() == thread);
  atomic_store(&blocked->is_back, 1);
}

static void unblock(Blocked* blocked, struct alpi_task* task) {
  CHECK(atomic_load(&blocked->is_back) == 0);
  blocked->letter = 42;
  CHECK_SUCCESS(alpi_task_unblock(task));
}

// -- before

static void unblocking_may_come_first(void) {
  struct alpi_task* const self = self_task();
  for (int i = 0; i < 100; ++i) {
    CHECK_SUCCESS(alpi_task_unblock(self));
    CHECK_SUCCESS(alpi_task_block(self));
  }
}

static void unblocking_first_serves_one_block(void) {
  Blocked blocked = {0};
#pragma omp task shared(blocked)
  {
    unblocking_may_come_first();
    block_until_unblocked(&blocked);
    unblocking_may_come_first();
  }
  struct alpi_task* const task = wait_for_task(&blocked.task);
  for (int i = 0; i < 20; ++i) CHECK_SUCCESS(alpi_task_waitfor_ns(50000, NULL));
  unblock(&blocked, task);
#pragma omp taskwait
  CHECK(blocked.is_back == 1);
}

// -- by another task

static void another_task_unblocks(void) {
  Blocked blocked = {0};
#pragma omp task shared(blocked)
  block_until_unblocked(&blocked);
  struct alpi_task* const task = wait_for_task(&blocked.task);
#pragma omp task shared(blocked)
  unblock(&blocked, task);
#pragma omp taskwait
  CHECK(blocked.is_back == 1);
}

// Each unblocks the one before it, and blocks itself until the one behind has come.
static void tasks_unblock_in_a_row(int tasks) {
  Blocked* const row = calloc((size_t)tasks, sizeof *row);
  for (int i = 0; i < tasks; ++i) {
#pragma omp task firstprivate(i)
    {
      if (i + 1 < tasks) block_until_unblocked(&row[i]);
      if (i > 0) unblock(&row[i - 1], wait_for_task(&row[i - 1].task));
    }
  }
#pragma omp taskwait
  for (int i = 0; i + 1 < tasks; ++i) CHECK(row[i].is_back == 1);
  free(row);
}

// -- by a thread that OpenMP does not know

static void* unblock_from_outside(void* argument) {
  Blocked* const blocked = argument;
  struct alpi_task* const task = wait_for_task_outside(&blocked->task);
  pause_thread_us(300);  // its thread may sleep by now
  unblock(blocked, task);
  return NULL;
}

static void a_foreign_thread_unblocks_explicit_tasks(void) {
  for (int i = 0; i < 20; ++i) {
    Blocked blocked = {0};
    const pthread_t thread = start_foreign_thread(unblock_from_outside, &blocked);
#pragma omp task shared(blocked)
    block_until_unblocked(&blocked);
#pragma omp taskwait
    CHECK(blocked.is_back == 1);
    pthread_join(thread, NULL);
  }
}

static void a_foreign_thread_unblocks_the_caller(void) {
  for (int i = 0; i < 20; ++i) {
    Blocked blocked = {0};
    const pthread_t thread = start_foreign_thread(unblock_from_outside, &blocked);
    block_until_unblocked(&blocked);
    pthread_join(thread, NULL);
  }
}

// -- again and again: either side may be first

typedef struct {
  task_slot task;
  atomic_int round;  // that the task is in
  int letter;
} Rounds;

enum { kRounds = 2000 };

static void* unblock_each_round(void* argument) {
  Rounds* const rounds = argument;
  struct alpi_task* const task = wait_for_task_outside(&rounds->task);
  for (int i = 1; i <= kRounds; ++i) {
    while (atomic_load(&rounds->round) < i) continue;
    rounds->letter = i;
    CHECK_SUCCESS(alpi_task_unblock(task));
  }
  return NULL;
}

static void blocking_races_with_unblocking(void) {
  Rounds rounds = {0};
  const pthread_t thread = start_foreign_thread(unblock_each_round, &rounds);
#pragma omp task shared(rounds)
  {
    atomic_store(&rounds.task, self_task());
    for (int i = 1; i <= kRounds; ++i) {
      atomic_store(&rounds.round, i);
      CHECK_SUCCESS(alpi_task_block(self_task()));
      CHECK(rounds.letter == i);
    }
  }
#pragma omp taskwait
  pthread_join(thread, NULL);
}

// -- tasks of every kind

static void tasks_of_every_kind_block(void) {
  Blocked blocked[4] = {0};
  pthread_t threads[4];
  for (int i = 0; i < 4; ++i) threads[i] = start_foreign_thread(unblock_from_outside, &blocked[i]);
#pragma omp task if (0) shared(blocked)
  block_until_unblocked(&blocked[0]);
  CHECK(blocked[0].is_back == 1);
#pragma omp task final(1) shared(blocked)
  block_until_unblocked(&blocked[1]);
#pragma omp task mergeable shared(blocked)
  block_until_unblocked(&blocked[2]);
#pragma omp task priority(7) shared(blocked)
  block_until_unblocked(&blocked[3]);
#pragma omp taskwait
  for (int i = 0; i < 4; ++i) {
    CHECK(blocked[i].is_back == 1);
    pthread_join(threads[i], NULL);
  }
}

int main(void) {
  find_alpi();
  CHECK_SUCCESS(alpi_version_check(1, 0));
  unblocking_may_come_first();
  a_foreign_thread_unblocks_the_caller();
#pragma omp parallel
  {
    unblocking_may_come_first();
    a_foreign_thread_unblocks_the_caller();  // implicit tasks
#pragma omp barrier
#pragma omp single
    {
      unblocking_first_serves_one_block();
      another_task_unblocks();
      tasks_unblock_in_a_row(200);
      a_foreign_thread_unblocks_explicit_tasks();
      blocking_races_with_unblocking();
      tasks_of_every_kind_block();
    }
  }
}
