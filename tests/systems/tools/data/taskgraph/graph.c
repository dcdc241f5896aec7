// A taskgraph of a chain, executed three times. Where FORGOTTEN is defined a dependence is missing.
#include <stdio.h>

int main(void) {
  int a = 1, b = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
  for (int i = 0; i < 3; ++i) {
#pragma omp taskgraph
    {
#pragma omp task depend(out : a) shared(a)
      a = 3 * a + 1;
#ifndef FORGOTTEN
#  pragma omp task depend(in : a) depend(inout : b) shared(a, b)
#else
#  pragma omp task depend(inout : b) shared(a, b)
#endif
      b = 2 * b + a;
    }
#pragma omp taskwait
  }
  printf("%d %d\n", a, b);
  return 0;
}
