// The initial thread is a task as well: it blocks outside of any region while spawned tasks run, keeps its
// name across regions, and sleeps at the end of the program as at its beginning.
#include "support.h"

#include <omp.h>

typedef struct {
  struct alpi_task* sleeper;
  int letter;
} Message;

static void unblock_the_sleeper(void* argument) {
  Message* const message = argument;
  struct alpi_task* const self = self_task();
  CHECK(self != message->sleeper);
  message->letter = 7;
  CHECK_SUCCESS(alpi_task_unblock(message->sleeper));
}

static void a_spawned_task_unblocks_it(void) {
  for (int i = 0; i < 100; ++i) {
    atomic_int ends = 0;
    Message message = {self_task(), 0};
    CHECK_SUCCESS(alpi_task_spawn(unblock_the_sleeper, &message, count_up, &ends, "unblock", NULL));
    CHECK_SUCCESS(alpi_task_block(message.sleeper));
    CHECK(message.letter == 7);
    wait_for_number(&ends, 1);
  }
}

static void unblock_after_sleeping(void* argument) {
  CHECK_SUCCESS(alpi_task_waitfor_ns(2000000, NULL));
  unblock_the_sleeper(argument);
}

static void it_sleeps_for_as_long_as_it_takes(void) {
  atomic_int ends = 0;
  Message message = {self_task(), 0};
  CHECK_SUCCESS(alpi_task_spawn(unblock_after_sleeping, &message, count_up, &ends, "late", NULL));
  const uint64_t began = now_ns();
  CHECK_SUCCESS(alpi_task_block(message.sleeper));
  CHECK(message.letter == 7 && now_ns() - began >= 2000000);
  wait_for_number(&ends, 1);
}

// A block that the initial task was promised before a region is kept for behind it.
static void regions_are_other_tasks(void) {
  struct alpi_task* const outside = self_task();
  CHECK_SUCCESS(alpi_task_unblock(outside));
#pragma omp parallel
  {
    struct alpi_task* const inside = self_task();
    CHECK(inside != outside);
    CHECK_SUCCESS(alpi_task_unblock(inside));
    CHECK_SUCCESS(alpi_task_block(inside));
    CHECK(alpi_task_block(outside) != ALPI_SUCCESS);
#pragma omp single
    {
#pragma omp task
      CHECK(self_task() != inside && self_task() != outside);
    }
  }
  CHECK(self_task() == outside);
  CHECK_SUCCESS(alpi_task_block(outside));
}

static void explicit_tasks_run_while_it_is_blocked(void) {
  struct alpi_task* const self = self_task();
  int letter = 0;
  for (int i = 0; i < 3; ++i) {
#pragma omp task shared(letter)
    {
      if (++letter == 3) CHECK_SUCCESS(alpi_task_unblock(self));
    }
  }
  CHECK_SUCCESS(alpi_task_block(self));
  CHECK(letter == 3);
#pragma omp taskwait
}

// As MPI_Finalize() of a task-aware library: from a function that is called when main() has returned.
static void sleep_at_the_end(void) {
  CHECK(self_task() != NULL);
  for (int i = 0; i < 3; ++i) CHECK_SUCCESS(alpi_task_waitfor_ns(100000, NULL));
}

int main(void) {
  find_alpi();
  CHECK(atexit(sleep_at_the_end) == 0);
  a_spawned_task_unblocks_it();  // before the first region
  it_sleeps_for_as_long_as_it_takes();
  regions_are_other_tasks();
  a_spawned_task_unblocks_it();
  explicit_tasks_run_while_it_is_blocked();
#pragma omp parallel
#pragma omp single
  a_spawned_task_unblocks_it();  // implicit tasks as well
  it_sleeps_for_as_long_as_it_takes();
  CHECK(omp_in_parallel() == 0);
}
