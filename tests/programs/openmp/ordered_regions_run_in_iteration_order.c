// The ordered regions of a loop run one after the other in the order of its iterations, whatever the
// schedule, for signed and unsigned variables, and where some iterations have none (OpenMP 5.2,
// section 15.10).
#include "check.h"

enum { kTrip = 500 };

int main(void) {
  for (int repeat = 0; repeat < 20; ++repeat) {
    int last = -1;
#pragma omp parallel for ordered schedule(dynamic)
    for (int i = 0; i < kTrip; ++i) {
#pragma omp ordered
      {
        CHECK(last == i - 1);
        last = i;
      }
    }
    last = -1;
#pragma omp parallel for ordered schedule(static, 3)
    for (int i = 0; i < kTrip; ++i) {
      if (i % 2 == 1) {
#pragma omp ordered
        {
          CHECK(last < i);
          last = i;
        }
      }
    }
    CHECK(last == kTrip - 1);
    last = kTrip;
#pragma omp parallel for ordered schedule(guided, 2)
    for (unsigned long long i = kTrip; i > 0; --i) {
#pragma omp ordered
      {
        CHECK(last == (int)i);
        last = (int)i - 1;
      }
    }
    last = -1;
#pragma omp parallel for ordered
    for (long i = 0; i < kTrip; ++i) {
#pragma omp ordered
      {
        CHECK(last == i - 1);
        last = (int)i;
      }
    }
    last = -1;
#pragma omp parallel for ordered schedule(runtime)
    for (unsigned i = 0; i < kTrip; ++i) {
#pragma omp ordered
      {
        CHECK(last == (int)i - 1);
        last = (int)i;
      }
    }
  }
  return 0;
}
