// Without OMP_CANCELLATION cancel has no effect: every iteration, section and task is still executed.
// OpenMP 5.1, 2.20.1 cancel construct; 3.2.8 omp_get_cancellation.
#include <omp.h>

#include "check.h"

int main(void) {
  if (omp_get_cancellation()) return 0;
  int iterations = 0;
  int tasks = 0;
  int members = 0;
  int sections = 0;
#pragma omp parallel shared(iterations, tasks, members, sections)
  {
#pragma omp cancel parallel
#pragma omp cancellation point parallel
#pragma omp atomic
    members++;
#pragma omp for schedule(dynamic)
    for (int i = 0; i < 100; i++) {
#pragma omp cancel for
#pragma omp atomic
      iterations++;
#pragma omp cancellation point for
    }
#pragma omp sections
    {
#pragma omp section
      {
#pragma omp cancel sections
#pragma omp atomic
        sections++;
      }
#pragma omp section
      {
#pragma omp atomic
        sections++;
      }
    }
#pragma omp single
    {
#pragma omp taskgroup
      for (int i = 0; i < 50; i++) {
#pragma omp task shared(tasks)
        {
#pragma omp cancel taskgroup
#pragma omp atomic
          tasks++;
#pragma omp cancellation point taskgroup
        }
      }
      CHECK(tasks == 50);
    }
#pragma omp barrier
#pragma omp master
    CHECK(members == omp_get_num_threads());
  }
  CHECK(iterations == 100 && sections == 2);
  return 0;
}
