// Tasks that create tasks: the Fibonacci numbers, recursively.
// Far too fine-grained to be useful, which is the point: each call of fib() below the cut-off-free tree is a
// task.
#include <stdio.h>

static long fib(int n) {
  if (n < 2) return n;
  long a, b;
#pragma omp task shared(a)
  a = fib(n - 1);
#pragma omp task shared(b)
  b = fib(n - 2);
#pragma omp taskwait
  return a + b;
}

int main(void) {
  for (int n = 5; n <= 20; n += 5) {
    long result = 0;
#pragma omp parallel
#pragma omp single
    result = fib(n);
    printf("fib(%d) = %ld\n", n, result);
  }
  return 0;
}
