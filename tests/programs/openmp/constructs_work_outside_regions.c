// Orphaned constructs bind to the implicit region of the initial thread: loops, single, sections, tasks with
// dependences, taskgroup, taskloop, critical and barrier all work where there is no parallel region.
// OpenMP 5.1, 1.3 execution model; 2.22 nesting of regions.
#include <omp.h>

#include "check.h"

int main(void) {
  static int sum;
  sum = 0;
#pragma omp for schedule(dynamic, 2) reduction(+ : sum)
  for (int i = 0; i < 10; i++) sum += i;
  CHECK(sum == 45);
#pragma omp single
  sum++;
#pragma omp sections
  {
#pragma omp section
    sum++;
#pragma omp section
    sum++;
  }
#pragma omp barrier
#pragma omp critical
  sum++;
#pragma omp master
  sum++;
  CHECK(sum == 50);
  int order = 0;
#pragma omp task depend(out : order) shared(order)
  order = 1;
#pragma omp task depend(inout : order) shared(order)
  order = order * 2 + 1;
#pragma omp taskwait
  CHECK(order == 3);
#pragma omp taskgroup task_reduction(+ : sum)
  {
    for (int i = 0; i < 20; i++) {
#pragma omp task in_reduction(+ : sum)
      sum++;
    }
  }
  CHECK(sum == 70);
#pragma omp taskloop num_tasks(4) reduction(+ : sum)
  for (int i = 0; i < 10; i++) sum++;
  CHECK(sum == 80);
#pragma omp taskyield
#pragma omp taskwait
  return 0;
}
