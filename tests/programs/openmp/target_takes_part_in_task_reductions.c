// in_reduction on target, deferred or not. OpenMP 5.2, 5.5.10 in_reduction and 13.8 target.
#include "check.h"

enum { ROUNDS = 200 };

int main(void) {
  long sum = 0;
#pragma omp parallel num_threads(4)
#pragma omp single
#pragma omp taskgroup task_reduction(+ : sum)
  for (int i = 0; i < ROUNDS; i++) {
#pragma omp task in_reduction(+ : sum) firstprivate(i)
    {
#pragma omp target in_reduction(+ : sum)
      sum += 1;
#pragma omp target nowait in_reduction(+ : sum)
      sum += 2;
#pragma omp taskwait
      sum += i;
    }
  }
  CHECK(sum == 3 * ROUNDS + ROUNDS * (ROUNDS - 1) / 2);
  return 0;
}
