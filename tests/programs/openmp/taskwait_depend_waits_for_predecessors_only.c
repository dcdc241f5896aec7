// taskwait with depend waits for the tasks it depends on, and not for siblings that still cannot complete.
// OpenMP 5.1, 2.19.5 taskwait construct, depend clause.
#include <omp.h>

#include "check.h"

int main(void) {
#pragma omp parallel
#pragma omp single
  for (int round = 0; round < 200; round++) {
    int x = 0;
    int y = 0;
    int z = 0;
    omp_event_handle_t event;
#pragma omp task detach(event) depend(out : z) shared(z)
    z = 1;
    for (int i = 0; i < 5; i++) {
#pragma omp task depend(inout : x) shared(x)
      x++;
#pragma omp task depend(inout : y) shared(y)
      y++;
    }
#pragma omp taskwait depend(in : x)
    CHECK(x == 5);
#pragma omp task depend(in : x) shared(x)
    CHECK(x == 5);
#pragma omp taskwait depend(inout : y) depend(out : x)
    CHECK(y == 5);
    x = 6;
    omp_fulfill_event(event);
#pragma omp taskwait depend(in : z)
    CHECK(z == 1);
#pragma omp taskwait
  }
  return 0;
}
