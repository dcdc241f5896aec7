// What the programs in this folder share: handles that tasks publish, and threads that OpenMP does not know.
#ifndef HEDDLE_TESTS_RUNTIME_ALPI_SUPPORT_H_
#define HEDDLE_TESTS_RUNTIME_ALPI_SUPPORT_H_

#include "alpi_by_name.h"
// Behind the definition of _GNU_SOURCE.
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

typedef _Atomic(struct alpi_task*) task_slot;

static inline struct alpi_task* self_task(void) {
  struct alpi_task* task = NULL;
  CHECK_SUCCESS(alpi_task_self(&task));
  CHECK(task != NULL);
  return task;
}

/// Sleeps with the whole thread: no scheduling point.
static inline void pause_thread_us(long us) {
  const struct timespec time = {us / 1000000, us % 1000000 * 1000};
  nanosleep(&time, NULL);
}

static inline uint64_t now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/// In a task: lets others run until a task has published itself.
static inline struct alpi_task* wait_for_task(task_slot* slot) {
  struct alpi_task* task;
  while ((task = atomic_load(slot)) == NULL) CHECK_SUCCESS(alpi_task_waitfor_ns(20000, NULL));
  return task;
}

/// In a task: lets others run until the number is there.
static inline void wait_for_number(atomic_int* number, int wanted) {
  while (atomic_load(number) < wanted) CHECK_SUCCESS(alpi_task_waitfor_ns(20000, NULL));
}

/// The same on a thread that the runtime does not know.
static inline struct alpi_task* wait_for_task_outside(task_slot* slot) {
  struct alpi_task* task;
  while ((task = atomic_load(slot)) == NULL) pause_thread_us(50);
  return task;
}

static inline pthread_t start_foreign_thread(void* (*function)(void*), void* argument) {
  pthread_t thread;
  CHECK(pthread_create(&thread, NULL, function, argument) == 0);
  return thread;
}

static inline void ignore(void* argument) {
  (void)argument;
}

static inline void count_up(void* number) {
  atomic_fetch_add((atomic_int*)number, 1);
}

/// body(slot) puts its task into *slot, and is blocked. No construct of the region waits for it.
static inline void check_that_regions_end_before(void (*body)(void*)) {
  atomic_int ends = 0;
  task_slot slot = NULL;
#pragma omp parallel shared(ends, slot)
  {
#pragma omp single
    {
#pragma omp taskgroup
      CHECK_SUCCESS(alpi_task_spawn(body, &slot, count_up, &ends, NULL, NULL));
#pragma omp taskwait
      wait_for_task(&slot);
    }
#pragma omp barrier
    CHECK(ends == 0);
  }
  CHECK(ends == 0);
  CHECK_SUCCESS(alpi_task_unblock(atomic_load(&slot)));
  wait_for_number(&ends, 1);
}

#endif
