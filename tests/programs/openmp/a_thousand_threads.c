// A team of a thousand threads on whatever there is: regions, loops, barriers, tasks and reductions.
#include <omp.h>

#include "check.h"

enum { kThreads = 1000 };

int main(void) {
  static int met[kThreads];
  int sum = 0, tasks = 0;
#pragma omp parallel num_threads(kThreads) reduction(+ : sum)
  {
    CHECK(omp_get_num_threads() == kThreads);
    ++met[omp_get_thread_num()];
#pragma omp barrier
#pragma omp for schedule(dynamic, 3)
    for (int i = 0; i < 5000; ++i) sum += i;
#pragma omp single
    for (int i = 0; i < 2000; ++i) {
#pragma omp task
      {
#pragma omp atomic
        ++tasks;
      }
    }
  }
  for (int i = 0; i < kThreads; ++i) CHECK(met[i] == 1);
  CHECK(sum == 5000 * 4999 / 2);
  CHECK(tasks == 2000);
  return 0;
}
