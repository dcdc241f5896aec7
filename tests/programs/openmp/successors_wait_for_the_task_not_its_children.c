// A dependence is resolved when the predecessor completes, which does not need its children to be complete.
// OpenMP 5.1, 2.19.11 depend clause; 2.12.1 task construct.
#include <omp.h>

#include "check.h"

enum { kRounds = 100 };
static omp_event_handle_t events[kRounds];
static int grandchildren;

int main(void) {
  int x = 0;
#pragma omp parallel shared(x)
#pragma omp single
  for (int round = 0; round < kRounds; round++) {
#pragma omp task depend(inout : x) shared(x)
    {
      omp_event_handle_t event;
#pragma omp task detach(event)
      {
#pragma omp atomic
        grandchildren++;
      }
      events[round] = event;
      x++;
    }
    // This task alone can complete the grandchild: it would never start if it had to wait for that one.
#pragma omp task depend(inout : x) shared(x)
    {
      CHECK(x == 2 * round + 1);
      omp_fulfill_event(events[round]);
      x++;
    }
  }
  CHECK(x == 2 * kRounds && grandchildren == kRounds);
  return 0;
}
