// A loop's body may hold a parallel region with a loop of its own, serial or not: the outer loop goes on
// where it was. OpenMP 5.2, section 11.5 (worksharing-loop constructs) and section 10.1.
#include <omp.h>

#include "check.h"

enum { kOuter = 30, kInner = 17 };

static int visits[kOuter];

static void run(int inner_threads) {
  for (int i = 0; i < kOuter; i++) visits[i] = 0;
#pragma omp parallel for schedule(dynamic, 2)
  for (int i = 0; i < kOuter; i++) {
    int sum = 0;
#pragma omp parallel for schedule(dynamic, 3) num_threads(inner_threads) reduction(+ : sum)
    for (int j = 100; j < 100 + 5 * kInner; j += 5) sum += j;
    CHECK(sum == kInner * 100 + 5 * kInner * (kInner - 1) / 2);
#pragma omp atomic
    visits[i]++;
  }
  for (int i = 0; i < kOuter; i++) CHECK(visits[i] == 1);
}

int main(void) {
  run(1);
  omp_set_max_active_levels(2);
  run(2);
  return 0;
}
