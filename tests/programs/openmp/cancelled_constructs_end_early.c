// With OMP_CANCELLATION=true: cancel ends loops, sections, taskgroups and parallel regions for the whole
// team, and what follows finds the team as if nothing had happened (OpenMP 5.2, section 11.5).
#include <omp.h>

#include "check.h"
#include "rerun.h"

enum { kTrip = 1000, kRepeats = 100 };

static void loop(void) {
  int executed = 0, after = 0;
#pragma omp parallel
  {
#pragma omp for schedule(dynamic)
    for (int i = 0; i < kTrip; ++i) {
#pragma omp atomic
      ++executed;
      if (i == 10) {
#pragma omp cancel for
      }
      while (i > 10) {  // nothing but the cancellation ends this
#pragma omp cancellation point for
      }
    }
#pragma omp atomic
    ++after;
  }
  CHECK(executed >= 11 && executed <= 11 + omp_get_max_threads());
  CHECK(after == omp_get_max_threads());
}

// A thread may still be in a loop without a barrier when another, in the next loop, cancels that one.
static void loop_before_it(void) {
  const int threads = omp_get_max_threads();
  int executed = 0, waits = 1;
  omp_set_schedule(omp_sched_static, 1);
#pragma omp parallel shared(executed, waits)
  {
#pragma omp for schedule(runtime) nowait
    for (int i = 0; i < 10 * threads; ++i) {
      // Its first iteration takes the last thread until the next loop is cancelled.
      while (threads > 1 && i == threads - 1 && __atomic_load_n(&waits, __ATOMIC_ACQUIRE)) continue;
#pragma omp atomic
      ++executed;
    }
#pragma omp for schedule(static)
    for (int i = 0; i < threads; ++i) {
      if (i == 0) {
        __atomic_store_n(&waits, 0, __ATOMIC_RELEASE);
#pragma omp cancel for
      }
    }
  }
  CHECK(executed == 10 * threads);
}

// Each is over for all the threads when one cancels it, and its cancellation ends nothing that follows: what
// a slow thread does at the end of one must not concern the next.
static void loop_after_loop(void) {
  int after = 0;
#pragma omp parallel num_threads(3) shared(after)
  for (int round = 0; round < 20; ++round) {
#pragma omp for schedule(dynamic)
    for (int i = 0; i < 3; ++i) {
      if (i == 2) {
#pragma omp cancel for
      }
      for (;;) {  // nothing but the cancellation ends this
#pragma omp cancellation point for
      }
    }
#pragma omp for schedule(static)
    for (int i = 0; i < 8; ++i) {
#pragma omp cancellation point for
#pragma omp atomic
      ++after;
    }
  }
  CHECK(after == 8 * 20);
}

static void static_loop(void) {
  int executed = 0;
#pragma omp parallel num_threads(1)
#pragma omp for schedule(static)
  for (int i = 0; i < kTrip; ++i) {
    ++executed;
    if (i == 10) {
#pragma omp cancel for
    }
  }
  CHECK(executed == 11);
}

static void region(void) {
  int before = 0, reached = 0;
#pragma omp parallel
  {
#pragma omp for nowait
    for (int i = 0; i < 100; ++i) {
#pragma omp atomic
      ++before;
    }
    if (omp_get_thread_num() == 0) {
#pragma omp cancel parallel
    }
#pragma omp barrier
#pragma omp atomic
    ++reached;
  }
  CHECK(reached == 0);
}

static void taskgroup(void) {
  int executed = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp taskgroup
    {
#pragma omp task if (0)
      {
#pragma omp cancel taskgroup
      }
      for (int i = 0; i < 200; ++i) {
#pragma omp task
        {
#pragma omp atomic
          ++executed;
        }
      }
    }
  }
  CHECK(executed == 0);
}

static void sections(void) {
  int executed = 0;
#pragma omp parallel num_threads(1)
  {
#pragma omp sections
    {
#pragma omp section
      {
        ++executed;
#pragma omp cancel sections
      }
#pragma omp section
      ++executed;
    }
  }
  CHECK(executed == 1);
}

static void nothing_remains(void) {
  int sum = 0, singles = 0;
#pragma omp parallel reduction(+ : sum)
  {
#pragma omp for schedule(dynamic, 3)
    for (int i = 0; i < 100; ++i) sum += i;
#pragma omp single
    ++singles;
  }
  CHECK(sum == 4950 && singles == 1);
}

int main(int argc, char** argv) {
  (void)argv;
  if (argc == 1) {
    const rerun_result* result = rerun("OMP_CANCELLATION=true", "cancelling");
    if (result->status != 0) printf("%s", result->output);
    return result->status;
  }
  CHECK(omp_get_cancellation());
  for (int repeat = 0; repeat < kRepeats; ++repeat) {
    loop();
    loop_before_it();
    if (repeat % 50 == 0) loop_after_loop();
    nothing_remains();
    static_loop();
    region();
    nothing_remains();
    taskgroup();
    sections();
    nothing_remains();
  }
  return 0;
}
