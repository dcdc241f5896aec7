// schedule(static, c) deals its chunks round robin, and two static loops of the same bounds in the same
// region give the same iterations to the same threads, so that the second may follow without a barrier.
// OpenMP 5.1, 2.11.4 worksharing-loop construct, static schedule.
#include <omp.h>

#include "check.h"

enum { kMost = 500 };
static int owner[kMost];
static int value[kMost];

int main(void) {
  for (int chunk = 1; chunk < 40; chunk += 6) {
    omp_set_schedule(omp_sched_static, chunk);
#pragma omp parallel
    {
      int team = omp_get_num_threads();
#pragma omp for schedule(static, chunk)
      for (int i = 0; i < kMost; i++) owner[i] = omp_get_thread_num();
#pragma omp for schedule(static)
      for (int i = 0; i < kMost; i++) CHECK(owner[i] == i / chunk % team);
#pragma omp for schedule(runtime)
      for (int i = 0; i < kMost; i++) owner[i] = omp_get_thread_num();
#pragma omp for schedule(static)
      for (int i = 0; i < kMost; i++) CHECK(owner[i] == i / chunk % team);
    }
  }
  for (int n = 1; n < kMost; n += 83) {
#pragma omp parallel
    for (int round = 1; round <= 20; round++) {
#pragma omp for schedule(static) nowait
      for (int i = 0; i < n; i++) value[i] = round;
#pragma omp for schedule(static)
      for (int i = 0; i < n; i++) {
        CHECK(value[i] == round);
        owner[i] = omp_get_thread_num();
      }
#pragma omp single
      for (int i = 1; i < n; i++) CHECK(owner[i] == owner[i - 1] || owner[i] > owner[i - 1]);
    }
  }
  return 0;
}
