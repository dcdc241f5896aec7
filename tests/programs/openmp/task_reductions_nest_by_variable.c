// Taskgroups with reductions may be nested: a task contributes to the innermost group that reduces its
// variable, and to several groups at once. OpenMP 5.1, 2.21.5.5 task_reduction clause and 2.21.5.6
// in_reduction clause.
#include <omp.h>

#include "check.h"

int main(void) {
#pragma omp parallel
#pragma omp single
  for (int round = 0; round < 20; round++) {
    long outer = 1;
    long inner_total = 0;
#pragma omp taskgroup task_reduction(+ : outer)
    for (int i = 0; i < 10; i++) {
#pragma omp task in_reduction(+ : outer) shared(inner_total)
      {
        long inner = 0;
        outer += 1;
#pragma omp taskgroup task_reduction(+ : inner)
        {
          for (int k = 0; k < 10; k++) {
#pragma omp task in_reduction(+ : inner, outer)
            {
              inner += k;
              outer += 10;
            }
          }
#pragma omp taskgroup
          {
#pragma omp task in_reduction(+ : outer) in_reduction(+ : inner)
            {
              inner += 100;
              outer += 100;
            }
          }
        }
        CHECK(inner == 145);
#pragma omp atomic
        inner_total += inner;
      }
    }
    CHECK(outer == 1 + 10 * (1 + 100 + 100));
    CHECK(inner_total == 1450);
    long same = 0;
#pragma omp taskgroup task_reduction(+ : same)
    {
#pragma omp task in_reduction(+ : same)
      {
#pragma omp taskgroup task_reduction(+ : same)
        {
          for (int k = 0; k < 5; k++) {
#pragma omp task in_reduction(+ : same)
            same += 2;
          }
        }
        same *= 3;
      }
    }
    CHECK(same == 30);
  }
  return 0;
}
