// A task depends on another whose event nobody fulfils.
//
// says: has returned and waits for the event of its detach clause, which nobody has fulfilled
// says: for it waits the task of
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
    x++;  // culprit, seen by the watchdog
#pragma omp task depend(in : x) shared(x) if (0)
    x++;
  }
  return x;
}
