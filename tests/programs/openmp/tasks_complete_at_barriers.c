// Every task of the team, with its descendants, is complete when threads pass a barrier, explicit or
// implicit. OpenMP 5.1, 2.19.2 barrier construct; 2.19.3 implicit barriers.
#include <omp.h>

#include "check.h"

static int count;

static void spread(int depth) {
  for (int i = 0; i < 2 && depth > 0; i++) {
#pragma omp task untied
    spread(depth - 1);
  }
#pragma omp atomic
  count++;
}

int main(void) {
  for (int round = 0; round < 30; round++) {
    count = 0;
#pragma omp parallel
    {
      int team = omp_get_num_threads();
#pragma omp task
      spread(4);
#pragma omp barrier
      CHECK(count == 31 * team);
#pragma omp barrier
#pragma omp for schedule(dynamic)
      for (int i = 0; i < 10; i++) {
#pragma omp task
        spread(2);
      }
      CHECK(count == 31 * team + 70);
#pragma omp barrier
#pragma omp single
      spread(5);
      CHECK(count == 31 * team + 133);
#pragma omp barrier
#pragma omp task
      spread(1);
    }
    CHECK((count - 133) % 34 == 0);
  }
  return 0;
}
