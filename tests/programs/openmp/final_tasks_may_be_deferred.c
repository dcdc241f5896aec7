// final(true) makes the tasks inside a task included, not the task itself, which another thread may execute
// (OpenMP 5.2, section 12.5): a creator that waits for its final task without helping is released.
#include <omp.h>
#include <stdatomic.h>

#include "check.h"

enum { kRounds = 100 };

int main(void) {
  int deferred = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
  for (int round = 0; round < kRounds; round++) {
    CHECK(omp_get_num_threads() == 2);
    const int creator = omp_get_thread_num();
    atomic_int started = 0, children_by_the_same_thread = 0;
#pragma omp task final(1) shared(started, children_by_the_same_thread, deferred) firstprivate(creator)
    {
      const int mine = omp_get_thread_num();
      CHECK(omp_in_final());
#pragma omp task shared(children_by_the_same_thread)
      {
        if (omp_get_thread_num() == mine) ++children_by_the_same_thread;
      }
      CHECK(children_by_the_same_thread == 1);  // included: it has run before we go on
      if (mine != creator) deferred++;
      started = 1;
    }
    while (!started) {  // no scheduling point: only another thread can have executed the task
    }
#pragma omp taskwait
  }
  CHECK(deferred > 0);
  return 0;
}
