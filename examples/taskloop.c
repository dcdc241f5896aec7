// A loop as tasks, with a reduction: the sum of 1/(k*k), which tends to pi*pi/6. Partial sums are combined
// per chunk into integers (fixed point), so that the result does not depend on the order.
#include <stdio.h>

int main(void) {
  const long terms = 1000000;
  long sum = 0;  // in units of 1e-15
#pragma omp parallel
#pragma omp single
#pragma omp taskloop reduction(+ : sum) grainsize(10000)
  for (long k = 1; k <= terms; ++k) sum += (long)(1e15 / ((double)k * (double)k));
  printf("sum of 1/k^2 for %ld terms: %.9f\n", terms, (double)sum * 1e-15);
  return 0;
}
