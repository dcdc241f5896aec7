// A detached task is complete once its body is done and its event fulfilled, in either order: taskwait,
// taskgroup and dependent tasks wait for both. OpenMP 5.1, 2.12.1 task construct, detach clause; 3.5.1
// omp_fulfill_event.
#include <omp.h>

#include "check.h"

int main(void) {
  for (int round = 0; round < 100; round++) {
    int x = 0;
    int y = 0;
    int fulfilled = 0;
#pragma omp parallel shared(x, y, fulfilled)
#pragma omp single
    {
      omp_event_handle_t inside;
      omp_event_handle_t after;
      omp_event_handle_t before;
      // Fulfilled in the body, before it ends.
#pragma omp task detach(inside) depend(out : x) shared(x)
      {
        omp_fulfill_event(inside);
        x = 1;
      }
#pragma omp task depend(inout : x) shared(x)
      {
        CHECK(x == 1);
        x = 2;
      }
#pragma omp taskwait
      CHECK(x == 2);
      // Fulfilled by another task; the dependent task sees that, and the taskgroup waits for it.
#pragma omp taskgroup
      {
#pragma omp task detach(after) depend(out : y) shared(y)
        y = 1;
#pragma omp task depend(inout : y) shared(y, fulfilled)
        {
          CHECK(y == 1 && fulfilled == 1);
          y = 2;
        }
#pragma omp task shared(fulfilled) firstprivate(after)
        {
          fulfilled = 1;
          omp_fulfill_event(after);
        }
      }
      CHECK(y == 2);
      // Fulfilled before the body can have started, which a predecessor's event holds back.
#pragma omp task detach(after) depend(out : x)
      {
      }
#pragma omp task detach(before) depend(inout : x) shared(x)
      x = 3;
      omp_fulfill_event(before);
      omp_fulfill_event(after);
#pragma omp taskwait
    }
    CHECK(x == 3 && y == 2);
  }
  return 0;
}
