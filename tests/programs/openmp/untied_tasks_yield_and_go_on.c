// Untied tasks go on after taskyield, taskwait and the generation of children with their private data
// unchanged. OpenMP 5.1, 2.12.1 task construct, untied clause; 2.12.4 taskyield construct.
#include <omp.h>

#include "check.h"

int main(void) {
  enum { kTasks = 100, kSteps = 20 };
  static int steps[kTasks];
  int children = 0;
#pragma omp parallel shared(children)
#pragma omp single
  {
    for (int i = 0; i < kTasks; i++) {
#pragma omp task untied shared(children)
      {
        int expected = 0;
        for (int k = 0; k < kSteps; k++) {
          CHECK(steps[i] == expected);
          steps[i] = ++expected;
#pragma omp taskyield
          int child = 0;
#pragma omp task untied shared(children, child) firstprivate(k)
          {
#pragma omp taskyield
            child = k + 1;
#pragma omp atomic
            children++;
          }
#pragma omp taskwait
          CHECK(child == k + 1);
        }
      }
    }
  }
  CHECK(children == kTasks * kSteps);
  for (int i = 0; i < kTasks; i++) CHECK(steps[i] == kSteps);
  return 0;
}
