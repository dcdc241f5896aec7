// Tasks that are spawned before the first region and never end, as a library's pollers: regions, barriers,
// taskwait, taskgroup and the end of the program do not wait for them, and they get their turns.
#include "support.h"

#include <omp.h>

static atomic_int g_sleeping, g_yielding, g_suspending, g_blocking;
static task_slot g_blocked;

static void sleep_for_ever(void* argument) {
  for (;;) {
    atomic_fetch_add((atomic_int*)argument, 1);
    CHECK_SUCCESS(alpi_task_waitfor_ns(50000, NULL));
  }
}

static void yield_for_ever(void* argument) {
  for (;;) {
    atomic_fetch_add((atomic_int*)argument, 1);
    CHECK_SUCCESS(alpi_task_waitfor_ns(0, NULL));
  }
}

static void suspend_for_ever(void* argument) {
  struct alpi_task* const self = self_task();
  atomic_fetch_add((atomic_int*)argument, 1);
  CHECK_SUCCESS(alpi_task_suspend_mode_set(self, ALPI_SUSPEND_MODE_TIMEOUT_SUBMIT, 50000));
  CHECK_SUCCESS(alpi_task_suspend(self));
}

static void block_for_ever(void* argument) {
  atomic_store(&g_blocked, self_task());
  for (;;) {
    atomic_fetch_add((atomic_int*)argument, 1);
    CHECK_SUCCESS(alpi_task_block(self_task()));
  }
}

static void keep_an_event(void* argument) {
  atomic_fetch_add((atomic_int*)argument, 1);
  CHECK_SUCCESS(alpi_task_events_increase(self_task(), 1));
}

static void has_ended(void* argument) {
  CHECK(argument == NULL);  // never called
  CHECK(argument != NULL);
}

// All get turns while the caller waits.
static void they_go_on(void) {
  atomic_int* const counts[] = {&g_sleeping, &g_yielding, &g_suspending};
  int before[3];
  for (int i = 0; i < 3; ++i) before[i] = atomic_load(counts[i]);
  const int blocked_before = atomic_load(&g_blocking);
  CHECK_SUCCESS(alpi_task_unblock(wait_for_task(&g_blocked)));
  for (int i = 0; i < 3; ++i) wait_for_number(counts[i], before[i] + 3);
  wait_for_number(&g_blocking, blocked_before + 1);
  while (atomic_load(&g_blocked) == NULL) CHECK_SUCCESS(alpi_task_waitfor_ns(1000, NULL));
}

static void waits_end(void) {
  int sum = 0;
#pragma omp parallel reduction(+ : sum)
  {
    for (int i = 0; i < 5; ++i) {
#pragma omp task shared(sum)
      {
#pragma omp atomic
        ++sum;
      }
#pragma omp taskwait
#pragma omp barrier
#pragma omp taskgroup
      {
#pragma omp task shared(sum)
        {
#pragma omp atomic
          ++sum;
        }
      }
    }
#pragma omp for
    for (int i = 0; i < 100; ++i) ++sum;
#pragma omp single
    {
#pragma omp taskloop grainsize(1) reduction(+ : sum)
      for (int i = 0; i < 50; ++i) ++sum;
    }
    CHECK(sum >= 10);
  }
  CHECK(sum == 10 * omp_get_max_threads() + 150);
}

int main(void) {
  find_alpi();
  CHECK_SUCCESS(alpi_version_check(1, 0));
  CHECK_SUCCESS(alpi_task_spawn(sleep_for_ever, &g_sleeping, has_ended, NULL, "sleeps", NULL));
  CHECK_SUCCESS(alpi_task_spawn(yield_for_ever, &g_yielding, has_ended, NULL, "yields", NULL));
  CHECK_SUCCESS(alpi_task_spawn(suspend_for_ever, &g_suspending, has_ended, NULL, "suspends", NULL));
  CHECK_SUCCESS(alpi_task_spawn(block_for_ever, &g_blocking, has_ended, NULL, "blocks", NULL));
  atomic_int kept = 0;
  CHECK_SUCCESS(alpi_task_spawn(keep_an_event, &kept, has_ended, NULL, "has an event", NULL));
  wait_for_number(&kept, 1);
  they_go_on();
  for (int i = 0; i < 20; ++i) waits_end();
  they_go_on();
#pragma omp parallel
#pragma omp single
  they_go_on();
  for (int threads = 1; threads <= 3; ++threads) {
    omp_set_num_threads(threads);
    waits_end();
    they_go_on();
  }
}
