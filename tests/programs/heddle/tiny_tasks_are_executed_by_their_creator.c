// Where tasks take less than it costs to share them their creator executes them at their creation; a task
// that lasts ends that, and what comes next is there for others. The results are those of the dependences
// either way.
#include <omp.h>

#include "check.h"
#include "heddle.h"

enum { kTiny = 20000, kRounds = 30, kLong = 100, kChains = 8 };

static long cells[kChains];
static _Thread_local int newest = -1;  // whose creation is going on here
static int is_creating;
static int by_creator;       // long tasks that the creator executed while it created
static int tiny_by_creator;  // and the others

static void last_a_while(void) {
  for (const double until = omp_get_wtime() + 200e-6; omp_get_wtime() < until;) continue;
}

int main(void) {
#pragma omp parallel
#pragma omp single
  for (int round = 0; round < kRounds; round++) {
    for (int i = 0; i < kTiny; i++) {
      long* const cell = &cells[i % kChains];
      const long* const before = &cells[(i + 1) % kChains];
      newest = i;
#pragma omp task depend(inout : *cell) depend(in : *before) firstprivate(i)
      {
        *cell = (*cell * 31 + *before + i) % 1000003;
        if (newest == i) tiny_by_creator++;
      }
      newest = -1;
    }
    const int me = omp_get_thread_num();
#pragma omp atomic write
    is_creating = 1;
    for (int i = 0; i < kLong; i++) {
#pragma omp task
      {
        last_a_while();
        int is_early;
#pragma omp atomic read
        is_early = is_creating;
        if (is_early && omp_get_thread_num() == me) by_creator++;
      }
    }
#pragma omp atomic write
    is_creating = 0;
#pragma omp taskwait
  }
  long expected[kChains] = {0};
  for (int round = 0; round < kRounds; round++) {
    for (int i = 0; i < kTiny; i++) {
      long* const cell = &expected[i % kChains];
      *cell = (*cell * 31 + expected[(i + 1) % kChains] + i) % 1000003;
    }
  }
  for (int c = 0; c < kChains; c++) CHECK(cells[c] == expected[c]);
  if (omp_get_max_threads() > 1) CHECK(by_creator <= 8 * kRounds);
#if !defined(__SANITIZE_THREAD__) && !defined(__SANITIZE_ADDRESS__)
  CHECK(tiny_by_creator > kTiny);  // of thirty times as many
#endif
  return 0;
}
