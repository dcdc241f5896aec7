// With the monotonic modifier a thread gets its chunks in increasing iteration order.
// OpenMP 5.1, 2.11.4 worksharing-loop construct, schedule modifiers.
#include <omp.h>

#include "check.h"

enum { kRounds = 20, kIterations = 300, kLoops = 4 };

int main(void) {
  int executed[kLoops] = {0};
#pragma omp parallel reduction(+ : executed)
  for (int round = 0; round < kRounds; round++) {
    int last = -1;
#pragma omp for schedule(monotonic : dynamic)
    for (int i = 0; i < kIterations; i++) {
      CHECK(i > last);
      last = i;
      executed[0]++;
    }
    last = -1;
#pragma omp for schedule(monotonic : guided, 2)
    for (int i = 0; i < kIterations; i++) {
      CHECK(i > last);
      last = i;
      executed[1]++;
    }
    last = -1;
#pragma omp for schedule(static, 3)
    for (int i = 0; i < kIterations; i++) {
      CHECK(i > last);
      last = i;
      executed[2]++;
    }
    last = kIterations;
#pragma omp for schedule(monotonic : dynamic, 5)
    for (int i = kIterations - 1; i >= 0; i--) {
      CHECK(i < last);
      last = i;
      executed[3]++;
    }
  }
  for (int loop = 0; loop < kLoops; loop++) CHECK(executed[loop] == kRounds * kIterations);
  return 0;
}
