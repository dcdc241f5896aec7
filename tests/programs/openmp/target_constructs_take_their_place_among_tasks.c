// The depend clauses of target, target update, target enter data and target exit data order them with the
// tasks around, with and without nowait. OpenMP 5.2, 13.5-13.9 and 15.9.5 depend.
#include "check.h"

enum { ROUNDS = 100 };

int main(void) {
  int value = 0, failures = 0;
  int other = 0;  // its address is what counts
  (void)other;
#pragma omp parallel num_threads(4)
#pragma omp single
  for (int i = 0; i < ROUNDS; i++) {
#pragma omp task depend(inout : value)
    value++;
#pragma omp target nowait depend(inout : value) map(tofrom : value)
    value++;
#ifdef __clang__  // without devices it drops data movement, dependences and all
#  pragma omp task depend(in : value) depend(out : other)
    {
    }
#else
#  pragma omp target enter data map(to : value) nowait depend(inout : value)
#  pragma omp target update to(value) nowait depend(in : value) depend(out : other)
#endif
#pragma omp task depend(in : other) shared(value, failures)
    if (value != 3 * i + 2) {
#pragma omp atomic
      failures++;
    }
#pragma omp target exit data map(from : value) nowait depend(inout : value)
#pragma omp task depend(inout : other, value)
    value++;
    if (i % 10 != 9) continue;
#ifndef __clang__
#  pragma omp target update from(value) depend(inout : value)
    if (value != 3 * i + 3) failures++;
#endif
#pragma omp target depend(inout : value) map(tofrom : value, failures)
    if (value != 3 * i + 3) failures++;
  }
  CHECK(failures == 0);
  CHECK(value == 3 * ROUNDS);

  // Outside all parallel regions.
#pragma omp target nowait depend(inout : value) map(tofrom : value)
  value++;
#pragma omp taskwait
  CHECK(value == 3 * ROUNDS + 1);
  return 0;
}
