// reduction(task, …) on parallel, loop, sections and scope constructs also counts what the tasks created in
// them contribute through in_reduction (OpenMP 5.2, section 5.5.8).
#include <omp.h>

#include "check.h"

static int total;

static void orphaned_loop(int trip) {
#pragma omp for reduction(task, + : total) schedule(dynamic)
  for (int i = 0; i < trip; ++i) {
#pragma omp task in_reduction(+ : total)
    total += i;
  }
}

int main() {
  for (int repeat = 0; repeat < 50; ++repeat) {
    int sum = 5;
#pragma omp parallel reduction(task, + : sum)
    {
      sum += 1;
#pragma omp task in_reduction(+ : sum)
      sum += 10;
    }
    CHECK(sum == 5 + 11 * omp_get_max_threads());

    total = 3;
    double product = 1;
#pragma omp parallel
    {
      orphaned_loop(100);
#pragma omp for reduction(task, * : product)
      for (int i = 0; i < 10; ++i) {
#pragma omp task in_reduction(* : product)
        product *= 2;
      }
#pragma omp sections reduction(task, + : total)
      {
#pragma omp section
        {
#pragma omp task in_reduction(+ : total)
          ++total;
        }
#pragma omp section
        ++total;
      }
    }
    CHECK(total == 3 + 4950 + 2);
    CHECK(product == 1024);
  }
  return 0;
}
