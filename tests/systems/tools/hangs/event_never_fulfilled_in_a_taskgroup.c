// The creator of a task waits, at the end of a taskgroup, for an event that nobody fulfils.
//
// says: has returned and waits for the event of its detach clause, which nobody has fulfilled
// says: for the end of its taskgroup
#include <omp.h>

int main(void) {
  int x = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
#pragma omp taskgroup
  {
    omp_event_handle_t event;
#pragma omp task detach(event) shared(x)
    x = 1;  // culprit, seen by the watchdog
  }
  return x;
}
