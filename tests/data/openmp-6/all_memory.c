// depend(…: omp_all_memory) (5.1).
#include <omp.h>

static int a, b, seen;
int main(void) {
#pragma omp parallel num_threads(2)
#pragma omp single
  {
#pragma omp task depend(out : a)
    a = 1;
#pragma omp task depend(out : b)
    b = 2;
#pragma omp task depend(inout : omp_all_memory)
    seen = a + b;
  }
  return seen != 3;
}
