// The mesh changes between two executions of a taskgraph, which still executes what the first one recorded.
#include <heddle.h>

static omp_event_handle_t event;
static int refined;

int main(void) {
#pragma omp parallel num_threads(2)
#pragma omp single
  for (int step = 0; step < 2; step++) {
    refined = step;
    HEDDLE_TASKGRAPH(.graph_id = 7) {  // culprit
#pragma omp task
      {
        event = omp_task_continuation_event();
        if (!refined) omp_fulfill_event(event);
        omp_taskwait_detach(event);  // culprit
      }
      if (step == 1) {
#pragma omp task
        omp_fulfill_event(event);
      }
    }
  }
  return 0;
}
