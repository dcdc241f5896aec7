// alpi_task_waitfor_ns() sleeps at least as long as it is told, says how long it was, and its thread executes
// others meanwhile; no time at all is a scheduling point.
#include "support.h"

#include <omp.h>

static void it_lasts_as_long_as_told(uint64_t target) {
  uint64_t actual = 0;
  const uint64_t began = now_ns();
  CHECK_SUCCESS(alpi_task_waitfor_ns(target, &actual));
  const uint64_t took = now_ns() - began;
  CHECK(took >= target);
  CHECK(actual >= target && actual <= took);
  CHECK_SUCCESS(alpi_task_waitfor_ns(target, NULL));
}

static void times_are_kept(void) {
  for (uint64_t target = 1; target <= 10000000; target *= 10) it_lasts_as_long_as_told(target);
  uint64_t actual = 12345678901u;
  CHECK_SUCCESS(alpi_task_waitfor_ns(0, &actual));
  CHECK(actual != 12345678901u);
}

static void a_child_runs_meanwhile(uint64_t target) {
  atomic_int has_run = 0;
#pragma omp task shared(has_run)
  atomic_store(&has_run, 1);
  while (atomic_load(&has_run) == 0) CHECK_SUCCESS(alpi_task_waitfor_ns(target, NULL));
#pragma omp taskwait
}

static void a_spawned_task_runs_meanwhile(uint64_t target) {
  atomic_int bodies = 0, ends = 0;
  CHECK_SUCCESS(alpi_task_spawn(count_up, &bodies, count_up, &ends, NULL, NULL));
  while (atomic_load(&ends) == 0) CHECK_SUCCESS(alpi_task_waitfor_ns(target, NULL));
  CHECK(bodies == 1);
}

// On one thread each of two can end only because the other gets its turns.
static void siblings_take_turns(void) {
  enum { kTurns = 50 };
  atomic_int turn = 0;
  for (int who = 0; who < 2; ++who) {
#pragma omp task firstprivate(who) shared(turn)
    for (int i = 0; i < kTurns; ++i) {
      while (atomic_load(&turn) % 2 != who) CHECK_SUCCESS(alpi_task_waitfor_ns(1000, NULL));
      atomic_fetch_add(&turn, 1);
    }
  }
#pragma omp taskwait
  CHECK(turn == 2 * kTurns);
}

// They sleep at the same time, so all of them together take about as long as one.
static void many_sleep_at_once(void) {
  enum { kTasks = 300 };
  const uint64_t began = now_ns();
  atomic_int done = 0;
  for (int i = 0; i < kTasks; ++i) {
#pragma omp task shared(done) firstprivate(i)
    {
      it_lasts_as_long_as_told(5000000u + (uint64_t)(i * 7919 % kTasks) * 10000u);
      atomic_fetch_add(&done, 1);
    }
  }
#pragma omp taskwait
  CHECK(done == kTasks);
  CHECK(now_ns() - began < kTasks * (uint64_t)5000000);
}

int main(void) {
  find_alpi();
  times_are_kept();
  a_spawned_task_runs_meanwhile(0);
  a_spawned_task_runs_meanwhile(1000);
  a_child_runs_meanwhile(0);
#pragma omp parallel
  {
    times_are_kept();
    a_child_runs_meanwhile(0);
    a_child_runs_meanwhile(1000);
#pragma omp barrier
#pragma omp single
    {
#pragma omp task
      {
        times_are_kept();
        a_child_runs_meanwhile(0);
        a_child_runs_meanwhile(1000);
        a_spawned_task_runs_meanwhile(0);
        a_spawned_task_runs_meanwhile(1000);
      }
#pragma omp taskwait
      siblings_take_turns();
      many_sleep_at_once();
    }
  }
}
