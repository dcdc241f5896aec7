// Prefix sums with scan, inclusive and exclusive, and lastprivate(conditional:) on loops of an enclosing
// region (OpenMP 5.2, sections 5.6 and 5.4.5).
#include "check.h"

enum { kTrip = 1000 };

int main(void) {
  static int in[kTrip], out[kTrip];
  for (int i = 0; i < kTrip; ++i) in[i] = i % 7;
  for (int repeat = 0; repeat < 50; ++repeat) {
    int sum = 0;
#pragma omp parallel for reduction(inscan, + : sum)
    for (int i = 0; i < kTrip; ++i) {
      sum += in[i];
#pragma omp scan inclusive(sum)
      out[i] = sum;
    }
    for (int i = 0, expected = 0; i < kTrip; ++i) {
      expected += in[i];
      CHECK(out[i] == expected);
    }
    sum = 0;
#pragma omp parallel for reduction(inscan, + : sum)
    for (int i = 0; i < kTrip; ++i) {
      out[i] = sum;
#pragma omp scan exclusive(sum)
      sum += in[i];
    }
    for (int i = 0, expected = 0; i < kTrip; ++i) {
      CHECK(out[i] == expected);
      expected += in[i];
    }
#ifndef __clang__  // Clang 19 miscompiles both inside a region of their own, on every runtime
    sum = 0;
#  pragma omp parallel
#  pragma omp for reduction(inscan, + : sum)
    for (int i = 0; i < kTrip; ++i) {
      sum += in[i];
#  pragma omp scan inclusive(sum)
      out[i] = sum;
    }
    for (int i = 0, expected = 0; i < kTrip; ++i) {
      expected += in[i];
      CHECK(out[i] == expected);
    }
    int last = -1;
#  pragma omp parallel
#  pragma omp for lastprivate(conditional : last) schedule(dynamic)
    for (int i = 0; i < kTrip; ++i)
      if (i % 7 == 3) last = i;
    CHECK(last == 997);
#endif
  }
  return 0;
}
