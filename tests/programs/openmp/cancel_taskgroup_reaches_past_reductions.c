// A construct with reduction(task, ...) has tasks of its own group, which is no taskgroup of the program:
// cancel taskgroup in it cancels the taskgroup around the construct. OpenMP 5.2, 11.2 and 5.5.10.
#include <omp.h>

#include "check.h"
#include "rerun.h"

int main(int argc, char** argv) {
  (void)argv;
  if (argc == 1) {
    const rerun_result* again = rerun("OMP_CANCELLATION=true", "again");
    if (again->status != 0) fputs(again->output, stdout);
    CHECK(again->status == 0);
    return 0;
  }
  enum { kThreads = 2 };
  int sum = 0, executed = 0;
#pragma omp parallel num_threads(kThreads) shared(executed)
  {
#pragma omp taskgroup
    {
      // Complete, and with them their cancellation, when the loop ends.
#pragma omp for reduction(task, + : sum) schedule(static, 1)
      for (int i = 0; i < kThreads; ++i) {
#pragma omp task in_reduction(+ : sum)
        {
          sum += 1;
#pragma omp cancel taskgroup
        }
      }
      for (int i = 0; i < 100; ++i) {
#pragma omp task shared(executed)
        {
#pragma omp atomic
          ++executed;
        }
      }
    }
  }
  CHECK(sum == kThreads);
  CHECK(executed == 0);
  return 0;
}
