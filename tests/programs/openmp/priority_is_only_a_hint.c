// Tasks of every priority are executed once and their dependences hold; without OMP_MAX_TASK_PRIORITY the
// greatest is 0. OpenMP 5.1, 2.12.1 task construct, priority clause; 3.4.1 omp_get_max_task_priority.
#include <omp.h>
#include <stdlib.h>

#include "check.h"

int main(void) {
  enum { kTasks = 600 };
  static int runs[kTasks];
  static int loops[kTasks];
  int chain = 0;
  int extra = 0;
  if (getenv("OMP_MAX_TASK_PRIORITY") == NULL) CHECK(omp_get_max_task_priority() == 0);
#pragma omp parallel shared(chain, extra)
#pragma omp single
  {
    for (int i = 0; i < kTasks; i++) {
#pragma omp task priority(i % 13)
      runs[i]++;
#pragma omp task priority(i) depend(inout : chain)
      {
        CHECK(chain == i);
        chain++;
      }
    }
#pragma omp taskloop priority(1000000) grainsize(7)
    for (int i = 0; i < kTasks; i++) loops[i]++;
#pragma omp task priority(2147483647) mergeable shared(extra)
    extra++;
  }
  CHECK(chain == kTasks && extra == 1);
  for (int i = 0; i < kTasks; i++) CHECK(runs[i] == 1 && loops[i] == 1);
  return 0;
}
