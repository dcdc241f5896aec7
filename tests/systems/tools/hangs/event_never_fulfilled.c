// A task waits for an event that nobody fulfils.
#include <heddle.h>

int main(void) {
#pragma omp parallel num_threads(2)
#pragma omp single
#pragma omp task
  {
    omp_event_handle_t event = omp_task_continuation_event();  // asked for here
    omp_taskwait_detach(event);                                // culprit
  }
  return 0;
}
