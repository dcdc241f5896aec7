// Of executions of a record that overlap a thread goes on in the oldest that has work for it: what one that
// lags could begin with already is for who has nothing else to do.
#include <omp.h>
#include <stdatomic.h>

#include "check.h"
#include "heddle.h"

enum { kSweeps = 9 };

static int ahead;  // how far a chain of its own was ahead at most: through all that was in flight
static int times_created;
static int begun, left, right, joined, apart;  // how often those tasks were executed
static atomic_int holds, is_released;

// The next sweep's first task could begin when left and right have been executed, before this sweep's last.
static void create_sweep(void) {
  times_created++;
#pragma omp task depend(out : begun)
  {
    CHECK(apart >= begun && joined == begun);
    if (apart - begun > ahead) ahead = apart - begun;
    begun++;
  }
#pragma omp task depend(in : begun) depend(out : left)
  left++;
#pragma omp task depend(in : begun) depend(out : right)
  right++;
#pragma omp task depend(in : left, right) depend(out : joined)
  joined++;
#pragma omp task depend(inout : apart)
  apart++;
}

int main(void) {
  heddle_set_throttle(HEDDLE_HOLD, 0);
#pragma omp parallel num_threads(2)
#pragma omp single
  {
    CHECK(omp_get_num_threads() == 2);
    // The other thread has something to do meanwhile.
#pragma omp task
    {
      atomic_store(&holds, 1);
      while (!atomic_load(&is_released)) continue;
    }
    while (!atomic_load(&holds)) continue;
#pragma omp taskgroup
    for (int sweep = 0; sweep < kSweeps; sweep++) HEDDLE_TASKGRAPH(.nogroup = 1) create_sweep();
    CHECK(begun == kSweeps && left == kSweeps && right == kSweeps && joined == kSweeps && apart == kSweeps);
    CHECK(ahead > 1);
    CHECK(times_created == 1);
    atomic_store(&is_released, 1);
  }
  return 0;
}
