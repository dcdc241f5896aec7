// A team waits, in a barrier, for an event that nobody fulfils.
//
// says: has returned and waits for the event of its detach clause, which nobody has fulfilled
// says: all 2 threads of the team have reached the barrier
#include <omp.h>

int main(void) {
  int x = 0;
#pragma omp parallel num_threads(2)
  {
#pragma omp master
    {
      omp_event_handle_t event;
#pragma omp task detach(event) shared(x)
      x = 1;  // culprit, seen by the watchdog
    }
#pragma omp barrier
    x++;
  }
  return x;
}
