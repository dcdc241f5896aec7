// Where the process may not have address space for the stacks of suspended tasks, as under the limits of
// batch systems, tasks that yield, wait for children, sleep and wait for events still end, in the right
// order. OpenMP 5.2, 15.4 taskyield construct; Pereira et al., IWOMP 2023 (taskwait detach).
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "check.h"
#include "heddle.h"
#include "support/sanitized.h"

static long in_use_bytes(void) {
  long pages = 0;
  FILE* file = fopen("/proc/self/statm", "r");
  CHECK(file != NULL && fscanf(file, "%ld", &pages) == 1);
  fclose(file);
  return pages * 4096;
}

static int fib(int n) {
  if (n < 2) return n;
  int a, b;
#pragma omp task shared(a)
  {
#pragma omp taskyield
    a = fib(n - 1);
  }
#pragma omp task shared(b)
  b = fib(n - 2);
#pragma omp taskwait
  return a + b;
}

static void chain(int length, int* ended) {
  if (length == 0) return;
#pragma omp task
  {
#pragma omp taskyield
    chain(length - 1, ended);
#pragma omp atomic
    ++*ended;
  }
}

int main(void) {
  int sum = 0, ended = 0, woken = 0;
  // Warm threads and caches first, so that what is left is for stacks alone: the C library gives each thread
  // an arena at its first malloc(), of 64 MiB of addresses and more.
#pragma omp parallel
  {
    void* volatile block = malloc(100);
    CHECK(block != NULL);
    free(block);
#pragma omp atomic
    ++sum;
  }
  sum = 0;
  const struct rlimit limit = {(rlim_t)in_use_bytes() + (256 << 20), RLIM_INFINITY};
  CHECK(setrlimit(RLIMIT_AS, &limit) == 0);

#pragma omp parallel shared(sum)
#pragma omp single
  sum = fib(18);
  CHECK(sum == 2584);

  // Each creates the next, and yields: they must not pile up on one stack.
#pragma omp parallel shared(ended)
#pragma omp single
  chain(20000, &ended);
  CHECK(ended == 20000);

#pragma omp parallel shared(woken)
#pragma omp single
  {
    for (int i = 0; i < 200; ++i) {
#pragma omp task shared(woken)
      {
        heddle_task_sleep_ns(1000 * 1000);
#pragma omp atomic
        ++woken;
      }
    }
  }
  CHECK(woken == 200);

  // Those that wait come first, so each is below what fulfils its event.
  int met = 0;
#pragma omp parallel shared(met)
#pragma omp single
  for (int i = 0; i < 1000; ++i) {
    const omp_event_handle_t event = omp_task_continuation_event();
    for (int waits = 1; waits >= 0; --waits) {
#pragma omp task shared(met) firstprivate(waits, event)
      {
        if (waits) {
          omp_taskwait_detach(event);
#pragma omp atomic
          ++met;
        } else {
          omp_fulfill_event(event);
        }
      }
    }
  }
  CHECK(met == 1000);
  return 0;
}
