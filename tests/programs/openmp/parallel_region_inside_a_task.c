// A task may start a region with a team of its own, whose tasks are complete at its end; the task then goes
// on in the outer team. OpenMP 5.1, 2.6 parallel construct; 2.12.1 task construct.
#include <omp.h>

#include "check.h"

int main(void) {
  enum { kTasks = 20 };
  omp_set_dynamic(0);
  omp_set_max_active_levels(2);
  for (int round = 0; round < 3; round++) {
    int sums[kTasks] = {0};
#pragma omp parallel shared(sums)
#pragma omp single
    for (int i = 0; i < kTasks; i++) {
#pragma omp task shared(sums)
      {
        int outer = omp_get_thread_num();
        int size = omp_get_num_threads();
        int inner = 1 + i % 3;
        int tasks = 0;
#pragma omp task shared(sums)
        {
#pragma omp atomic
          sums[i] += 1000;
        }
#pragma omp parallel num_threads(inner) shared(sums, tasks)
        {
          CHECK(omp_get_num_threads() == inner && omp_get_level() == 2);
          CHECK(omp_get_ancestor_thread_num(1) == outer && omp_get_team_size(1) == size);
          for (int k = 0; k < 5; k++) {
#pragma omp task shared(tasks)
            {
              CHECK(omp_get_num_threads() == inner && omp_get_level() == 2);
#pragma omp atomic
              tasks++;
            }
          }
#pragma omp taskwait
#pragma omp single
          {
#pragma omp atomic
            sums[i] += 1;
          }
#pragma omp task shared(tasks)
          {
#pragma omp atomic
            tasks++;
          }
        }
        CHECK(tasks == 6 * inner);
        CHECK(omp_get_thread_num() == outer && omp_get_num_threads() == size && omp_get_level() == 1);
#pragma omp taskwait
        CHECK(sums[i] == 1001);
      }
    }
  }
  return 0;
}
