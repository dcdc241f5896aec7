// Handlers of fork() that open regions and give threads back, and a child that opens one.
#ifndef HEDDLE_TESTS_RUNTIME_PROGRAMS_FORK_HANDLERS_H_
#define HEDDLE_TESTS_RUNTIME_PROGRAMS_FORK_HANDLERS_H_

#include <omp.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

enum { kForks = 20 };

static atomic_int handled;

static int sum_of_tasks(void) {
  int sum = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
  for (int i = 1; i <= 10; ++i) {
#pragma omp task shared(sum)
    {
#pragma omp atomic
      sum += i;
    }
  }
  return sum;
}

static void handle(void) {
  CHECK(omp_pause_resource_all(omp_pause_soft) == 0);
  CHECK(sum_of_tasks() == 55);
  CHECK(omp_pause_resource_all(omp_pause_soft) == 0);
  atomic_fetch_add(&handled, 1);
}

static void fork_and_check(void) {
  const pid_t child = fork();
  CHECK(child >= 0);
  if (child == 0) {
    alarm(30);
    _exit(sum_of_tasks() == 55 ? 0 : 1);
  }
  int status;
  CHECK(waitpid(child, &status, 0) == child);
  CHECK(status == 0);
}

#endif
