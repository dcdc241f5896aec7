// A task waits for its child, which waits for an event that the task fulfils when its wait is over.
//
// says: they wait in a cycle
#include <heddle.h>

int main(void) {
  int x = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
  {
    omp_event_handle_t event = omp_task_continuation_event();
#pragma omp task depend(out : x) firstprivate(event)
    omp_taskwait_detach(event);  // culprit
#pragma omp task depend(in : x) shared(x)
    x++;
#pragma omp taskwait
    omp_fulfill_event(event);  // the taskwait before this line is in the cycle
  }
  return x;
}
