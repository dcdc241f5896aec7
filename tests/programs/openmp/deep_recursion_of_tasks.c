// Recursion of tasks goes deep: a chain of thousands that each wait for the next, and one where nobody waits.
// OpenMP 5.1, 2.12 tasking constructs.
#include <omp.h>

#include "check.h"

static int wait_down(int depth) {
  int below = 0;
  if (depth > 0) {
#pragma omp task shared(below)
    below = wait_down(depth - 1) + 1;
#pragma omp taskwait
  }
  return below;
}

static void run_down(int depth, int* deepest) {
  if (depth == 0) {
#pragma omp atomic write
    *deepest = 1;
    return;
  }
#pragma omp task
  run_down(depth - 1, deepest);
}

static int fibonacci(int n) {
  if (n < 2) return n;
  int a = 0;
  int b = 0;
#pragma omp task shared(a)
  a = fibonacci(n - 1);
#pragma omp task shared(b)
  b = fibonacci(n - 2);
#pragma omp taskwait
  return a + b;
}

int main(void) {
  int deepest = 0;
#pragma omp parallel shared(deepest)
  {
#pragma omp single
    CHECK(wait_down(2000) == 2000);
#pragma omp single
    run_down(5000, &deepest);
    CHECK(deepest == 1);
#pragma omp single
    CHECK(fibonacci(20) == 6765);
  }
  return 0;
}
