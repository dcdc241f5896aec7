// A taskloop waits for its tasks and their descendants; with nogroup it does not wait, and its tasks are
// children that taskwait waits for. OpenMP 5.1, 2.12.2 taskloop construct, nogroup clause.
#include <omp.h>

#include "check.h"

int main(void) {
#pragma omp parallel
#pragma omp single
  for (int round = 0; round < 50; round++) {
    int runs[60] = {0};
    int descendants = 0;
    int before = -1;
#pragma omp taskloop shared(runs, descendants) grainsize(4)
    for (int i = 0; i < 60; i++) {
      runs[i]++;
#pragma omp task shared(descendants)
      {
#pragma omp task shared(descendants)
        {
#pragma omp atomic
          descendants++;
        }
      }
    }
    CHECK(descendants == 60);
    // Tasks generated before the loop are none of its group.
    omp_event_handle_t event;
#pragma omp task detach(event) shared(before)
    before = round;
#pragma omp taskloop shared(runs) num_tasks(7)
    for (int i = 0; i < 60; i++) runs[i]++;
    for (int i = 0; i < 60; i++) CHECK(runs[i] == 2);
    omp_fulfill_event(event);
#pragma omp taskloop shared(runs) num_tasks(9) nogroup
    for (int i = 0; i < 60; i++) runs[i]++;
#pragma omp taskwait
    CHECK(before == round);
    for (int i = 0; i < 60; i++) CHECK(runs[i] == 3);
#pragma omp taskgroup
    {
#pragma omp taskloop shared(runs) grainsize(1) nogroup untied
      for (int i = 0; i < 60; i++) runs[i]++;
    }
    for (int i = 0; i < 60; i++) CHECK(runs[i] == 4);
  }
  return 0;
}
