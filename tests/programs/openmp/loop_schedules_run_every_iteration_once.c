// Under every schedule and chunk each iteration is executed once, of loops up, down, strided and empty.
// OpenMP 5.1, 2.11.4 worksharing-loop construct.
#include <omp.h>

#include "check.h"

enum { kMost = 130 };
static int runs[kMost];

#define EVERY_BOUND(...)                                                       \
  for (int n = 0; n < kMost; n += n < 12 ? 1 : 39) {                           \
    _Pragma(__VA_ARGS__) for (int i = 0; i < n; i++) runs[i]++;                \
    check(0, n, 1);                                                            \
    _Pragma(__VA_ARGS__) for (int i = n - 1; i >= 0; i--) runs[i]++;           \
    check(0, n, 1);                                                            \
    _Pragma(__VA_ARGS__) for (int i = 2; i < n; i += 5) runs[i]++;             \
    check(2, n, 5);                                                            \
    _Pragma(__VA_ARGS__) for (int i = n - 1; i > 3; i -= 7) runs[n - 1 - i]++; \
    check(0, n - 4, 7);                                                        \
    _Pragma(__VA_ARGS__) for (int i = n; i < 0; i++) runs[0]++;                \
    check(0, 0, 1);                                                            \
  }

static void check(int from, int to, int step) {
#pragma omp single
  for (int i = 0; i < kMost; i++) {
    CHECK(runs[i] == (i >= from && i < to && (i - from) % step == 0));
    runs[i] = 0;
  }
}

int main(void) {
  static const omp_sched_t kinds[] = {omp_sched_static, omp_sched_dynamic, omp_sched_guided, omp_sched_auto};
  for (int kind = 0; kind < 4; kind++) {
    for (int chunk = 0; chunk <= 4; chunk += 2) {
      omp_set_schedule(kinds[kind], chunk);
#pragma omp parallel
      EVERY_BOUND("omp for schedule(runtime)")
    }
  }
#pragma omp parallel
  {
    EVERY_BOUND("omp for")
    EVERY_BOUND("omp for schedule(static)")
    EVERY_BOUND("omp for schedule(static, 3)")
    EVERY_BOUND("omp for schedule(dynamic)")
    EVERY_BOUND("omp for schedule(dynamic, 4)")
    EVERY_BOUND("omp for schedule(nonmonotonic : dynamic, 200)")
    EVERY_BOUND("omp for schedule(monotonic : dynamic, 2)")
    EVERY_BOUND("omp for schedule(guided)")
    EVERY_BOUND("omp for schedule(guided, 5)")
    EVERY_BOUND("omp for schedule(auto)")
  }
  return 0;
}
