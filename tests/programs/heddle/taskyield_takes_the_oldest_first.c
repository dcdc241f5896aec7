// taskyield serves who has waited longest, so that no ready task starves behind younger ones.
#include <omp.h>

#include "check.h"
#include "heddle.h"

int main(void) {
  enum { kTasks = 300 };  // more than a thief takes one by one
  int next = 0, order[kTasks];
  heddle_set_throttle(HEDDLE_HOLD, 0);
#pragma omp parallel num_threads(1) shared(next, order)
  {
    for (int i = 0; i < kTasks; i++) {
#pragma omp task shared(next, order) firstprivate(i)
      order[next++] = i;
    }
    for (int i = 0; i < kTasks / 2; i++) {
#pragma omp taskyield
      CHECK(next == i + 1 && order[i] == i);
    }
#pragma omp taskwait
    CHECK(next == kTasks);
  }

  // Two producers' tasks, in groups of their own, make progress side by side.
  int of_a = 0, of_b = 0;
#pragma omp parallel num_threads(1) shared(of_a, of_b)
  {
#pragma omp taskgroup
    {
      for (int i = 0; i < kTasks; i++) {
#pragma omp task shared(of_a)
        of_a++;
#pragma omp task shared(of_b)
        of_b++;
      }
      for (int i = 0; i < kTasks; i++) {
#pragma omp taskyield
        CHECK(of_a - of_b >= 0 && of_a - of_b <= 1);
      }
    }
  }
  CHECK(of_a == kTasks && of_b == kTasks);
  return 0;
}
