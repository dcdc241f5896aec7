// The creator of a task waits, in a taskwait, for an event that nobody fulfils.
//
// says: has returned and waits for the event of its detach clause, which nobody has fulfilled
// says: for its child tasks
#include <omp.h>

int main(void) {
  int x = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
  {
    omp_event_handle_t event;
#pragma omp task detach(event) shared(x)
    x = 1;  // culprit, seen by the watchdog
#pragma omp taskwait
    x++;
  }
  return x;
}
