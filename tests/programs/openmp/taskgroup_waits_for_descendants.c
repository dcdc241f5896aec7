// A taskgroup waits for all descendants generated in it, but not for tasks generated before it.
// OpenMP 5.1, 2.19.6 taskgroup construct.
#include <omp.h>

#include "check.h"

static void spread(int depth, int* leaves) {
  if (depth == 0) {
#pragma omp atomic
    (*leaves)++;
    return;
  }
  for (int i = 0; i < 3; i++) {
#pragma omp task
    spread(depth - 1, leaves);
  }
}

int main(void) {
#pragma omp parallel
#pragma omp single
  for (int round = 0; round < 20; round++) {
    int leaves = 0;
    int before = 0;
    omp_event_handle_t event;
#pragma omp task detach(event) shared(before)
    before = 1;
#pragma omp taskgroup
    {
      spread(5, &leaves);
#pragma omp taskgroup
      {
        int inner = 0;
#pragma omp taskgroup
        {
#pragma omp task shared(inner)
          spread(2, &inner);
        }
        CHECK(inner == 9);
      }
#pragma omp task if (0) shared(leaves)
      spread(1, &leaves);
    }
    CHECK(leaves == 243 + 3);
#pragma omp taskgroup
    {
    }
    omp_fulfill_event(event);
#pragma omp taskwait
    CHECK(before == 1);
  }
  return 0;
}
