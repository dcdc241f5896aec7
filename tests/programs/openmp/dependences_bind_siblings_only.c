// Dependences order only children of the same task: equal storage in tasks of different parents means
// nothing. OpenMP 5.1, 2.19.11 depend clause.
#include <omp.h>

#include "check.h"

int main(void) {
  int x = 0;
#pragma omp parallel shared(x)
#pragma omp single
  for (int round = 0; round < 100; round++) {
    omp_event_handle_t event;
    int done = 0;
    // The parent's own child holds x until its event, and yet a nephew with the same dependence may run.
#pragma omp task detach(event) depend(inout : x)
    {
    }
#pragma omp task shared(x, done) firstprivate(event) depend(out : done)
    {
#pragma omp task depend(inout : x) shared(x, done)
      {
        done = 1;
        x = round;
      }
#pragma omp task depend(inout : x) shared(x)
      {
        CHECK(x == round);
        x = -round;
      }
#pragma omp taskwait
      omp_fulfill_event(event);
    }
#pragma omp task depend(in : x) depend(in : done) shared(x, done)
    CHECK(done == 1 && x == -round);
#pragma omp task depend(inout : x) shared(x)
    {
      int y = x;
      // A child may name what its parent holds.
#pragma omp task depend(inout : x) shared(x, y)
      x = y + 1;
#pragma omp taskwait
      CHECK(x == 1 - round);
    }
#pragma omp taskwait
  }
  return 0;
}
