// The program ends, but for a task outside all parallel regions whose event nobody fulfils.
//
// says: has returned and waits for the event of its detach clause, which nobody has fulfilled
// says: the program outside parallel regions waits for the tasks of its team
// attach says: the program outside parallel regions waits for the tasks of its team
#include <omp.h>

int main(void) {
  int x = 0;
  omp_event_handle_t event;
#pragma omp task detach(event) shared(x)
  x = 1;  // culprit, seen by the watchdog
  return 0;
}
