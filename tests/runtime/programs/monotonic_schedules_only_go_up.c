// With the monotonic modifier a thread gets its chunks in increasing iteration order.
// OpenMP 5.1, 2.11.4 worksharing-loop construct, schedule modifiers.
#include <omp.h>

#include "check.h"

int main(void) {
#pragma omp parallel
  for (int round = 0; round < 20; round++) {
    int last = -1;
#pragma omp for schedule(monotonic : dynamic)
    for (int i = 0; i < 300; i++) {
      CHECK(i > last);
      last = i;
    }
    last = -1;
#pragma omp for schedule(monotonic : guided, 2)
    for (int i = 0; i < 300; i++) {
      CHECK(i > last);
      last = i;
    }
    last = -1;
#pragma omp for schedule(static, 3)
    for (int i = 0; i < 300; i++) {
      CHECK(i > last);
      last = i;
    }
    last = 300;
#pragma omp for schedule(monotonic : dynamic, 5)
    for (int i = 299; i >= 0; i--) {
      CHECK(i < last);
      last = i;
    }
  }
  return 0;
}
