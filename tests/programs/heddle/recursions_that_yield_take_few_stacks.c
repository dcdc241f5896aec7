// A recursion with a taskyield in every fifth call: who yields lets another task begin, whose creator is left
// on its stack meanwhile. Turns are given without making one stack for every yield.
#include "programs/openmp/check.h"
#include "support/peak_memory.h"

static long fib(int n, unsigned call) {
  if (n < 2) return n;
  long a, b;
#pragma omp task shared(a)
  a = fib(n - 1, call * 2 + 1);
#pragma omp task shared(b)
  b = fib(n - 2, call * 2 + 2);
  if (call * 2654435761u % 5 == 0) {
#pragma omp taskyield
  }
#pragma omp taskwait
  return a + b;
}

int main(void) {
  long result = 0;
#pragma omp parallel
#pragma omp single
  result = fib(22, 1);
  CHECK(result == 17711);
  // Where every yield begins another task these are some 30,000 stacks of a page and more.
  check_peak_memory_below_kib(40 * 1024);
  return 0;
}
