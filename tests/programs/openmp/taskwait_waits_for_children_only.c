// taskwait waits for the children of the current task, and not for their children.
// OpenMP 5.1, 2.19.5 taskwait construct.
#include <omp.h>

#include "check.h"

int main(void) {
  int grandchildren = 0;
  for (int region = 0; region < 20; region++) {
#pragma omp parallel shared(grandchildren)
#pragma omp single
    for (int round = 0; round < 10; round++) {
      omp_event_handle_t events[3];
      int children = 0;
      for (int i = 0; i < 3; i++) {
#pragma omp task shared(events, children, grandchildren)
        {
          omp_event_handle_t event;
#pragma omp task detach(event) shared(grandchildren)
          {
#pragma omp atomic
            grandchildren++;
          }
          events[i] = event;
#pragma omp atomic
          children++;
        }
      }
#pragma omp taskwait
      CHECK(children == 3);
      // The grandchildren cannot be complete yet: that takes their events.
      for (int i = 0; i < 3; i++) omp_fulfill_event(events[i]);
#pragma omp taskwait
    }
  }
  CHECK(grandchildren == 600);
  return 0;
}
