// scope with reduction (5.1).
#include <omp.h>

int main(void) {
  int sum = 0, threads = 0;
#pragma omp parallel num_threads(3)
  {
#pragma omp scope reduction(+ : sum)
    sum += 1;
#pragma omp single
    threads = omp_get_num_threads();
  }
  return sum != threads;
}
