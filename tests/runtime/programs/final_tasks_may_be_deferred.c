// final(true) makes the tasks inside a task included, not the task itself, which another thread may execute
// (OpenMP 5.2, section 12.5): a creator that waits for its final task without helping is released.
#include <omp.h>
#include <stdatomic.h>

#include "check.h"

int main(void) {
  if (omp_get_max_threads() < 2) return 0;
  atomic_int started = 0, children_by_the_same_thread = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task final(1)
    {
      const int mine = omp_get_thread_num();
      CHECK(omp_in_final());
#pragma omp task shared(children_by_the_same_thread)
      {
        if (omp_get_thread_num() == mine) ++children_by_the_same_thread;
      }
      CHECK(children_by_the_same_thread == 1);  // included: it has run before we go on
      started = 1;
    }
    while (!started) {  // no scheduling point: only another thread can have executed the task
    }
  }
  return 0;
}
