// The same with the event of a task's detach clause.
//
// says: they wait in a cycle
#include <omp.h>

int main(void) {
  int x = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
  {
    omp_event_handle_t event;
#pragma omp task depend(out : x) detach(event) shared(x)
    x = 1;  // culprit, seen by the watchdog
#pragma omp task depend(in : x) shared(x)
    x++;
#pragma omp taskwait
    omp_fulfill_event(event);
  }
  return x;
}
