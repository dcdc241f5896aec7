// As many tasks of a taskloop as there are threads run at the same time, with a taskgroup and without, after
// short ones of other loops too; and long tasks behind many short ones in the same loop reach all threads.
// OpenMP 5.1, 2.12.2 taskloop construct.
#include <omp.h>
#include <unistd.h>

#include "check.h"

#ifdef __clang__  // Clang 19 warns of the unsigned bounds that it makes for every taskloop itself.
#  pragma clang diagnostic ignored "-Wsign-compare"
#endif

static int arrived;

// Returns once so many have come.
static void meet(int threads) {
  int here;
#pragma omp atomic
  arrived++;
  do {
    usleep(50);
#pragma omp atomic read
    here = arrived;
  } while (here < threads);
}

static void warm_up(void) {
  static int sink[5000];
#pragma omp taskloop grainsize(1) shared(sink)
  for (int i = 0; i < 5000; i++) sink[i]++;
}

static void all_at_once(int threads) {
  arrived = 0;
#pragma omp taskloop num_tasks(threads)
  for (int i = 0; i < threads; i++) meet(threads);
  arrived = 0;
#pragma omp taskgroup
  {
#pragma omp taskloop grainsize(1) nogroup
    for (int i = 0; i < threads; i++) meet(threads);
  }
  // Only so many as there are threads run at a time, but it is the last ones that everybody waits for.
  arrived = 0;
#pragma omp taskloop grainsize(1)
  for (int i = 0; i < 3 * threads; i++) meet(threads);
}

static void long_behind_short(int threads) {
  enum { kShort = 20000 };
  int of_thread[64] = {0};
  static int sink[kShort];
#pragma omp taskloop grainsize(1) shared(sink, of_thread)
  for (int i = 0; i < kShort + 100; i++) {
    if (i < kShort) {
      sink[i]++;
    } else {
      usleep(5000);
#pragma omp atomic
      of_thread[omp_get_thread_num()]++;
    }
  }
  for (int t = 0; t < threads; t++) CHECK(of_thread[t] > 0);
}

int main(void) {
#pragma omp parallel
#pragma omp single
  {
    const int threads = omp_get_num_threads();
    CHECK(threads <= 64);
    for (int round = 0; round < 10; round++) {
      all_at_once(threads);
      warm_up();
    }
    long_behind_short(threads);
  }
  return 0;
}
