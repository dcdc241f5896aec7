// A child made by fork() before, between, inside and after parallel regions opens regions of its own; forked
// inside a region it also goes on through barriers and worksharing constructs as the region's only thread.
#include <omp.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

static int use_everything(void) {
  int sum = 0, tasks = 0;
#pragma omp parallel reduction(+ : sum)
  {
#pragma omp for schedule(dynamic)
    for (int i = 0; i < 100; ++i) sum += i;
#pragma omp single
    {
      for (int i = 0; i < 20; ++i) {
#pragma omp task
        {
#pragma omp atomic
          ++tasks;
        }
      }
#pragma omp taskwait
    }
  }
  return sum == 4950 && tasks == 20;
}

static void fork_and_check(void) {
  const pid_t child = fork();
  CHECK(child >= 0);
  if (child == 0) {
    alarm(30);
    for (int i = 0; i < 5; ++i)
      if (!use_everything()) _exit(1);
    _exit(0);
  }
  int status;
  CHECK(waitpid(child, &status, 0) == child);
  CHECK(status == 0);
}

static void continue_through_the_region(void) {
  pid_t child = -1;
#pragma omp parallel
  {
#pragma omp master
    {
      child = fork();
      if (child == 0) alarm(30);
    }
#pragma omp barrier
    for (int repeat = 0; repeat < 20; ++repeat) {
#pragma omp for schedule(dynamic) nowait
      for (int i = 0; i < 50; ++i) (void)i;
    }
#pragma omp single
    (void)child;
  }
  if (child == 0) _exit(use_everything() ? 0 : 1);
  int status;
  CHECK(waitpid(child, &status, 0) == child);
  CHECK(status == 0);
}

int main(void) {
  fork_and_check();  // before
  CHECK(use_everything());
  for (int i = 0; i < 5; ++i) {
    fork_and_check();  // between
    CHECK(use_everything());
  }
#pragma omp parallel
  {
    if (omp_get_thread_num() == 0) fork_and_check();
#pragma omp barrier
    if (omp_get_thread_num() == omp_get_num_threads() - 1) fork_and_check();
  }
  for (int i = 0; i < 3; ++i) continue_through_the_region();
  CHECK(use_everything());
  return 0;
}
