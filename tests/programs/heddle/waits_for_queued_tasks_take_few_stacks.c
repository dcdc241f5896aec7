// Tasks that wait for events which tasks fulfil that they have created: who waits keeps a stack until its own
// has been executed. A creator runs ahead of both without leaving a stack for each.
#include <omp.h>

#include "heddle.h"
#include "programs/openmp/check.h"
#include "support/peak_memory.h"

enum { kTasks = 400000 };

int main(void) {
  static int passed;
#pragma omp parallel for schedule(static)
  for (int i = 0; i < kTasks; i++) {
#pragma omp task
    {
      const omp_event_handle_t event = omp_task_continuation_event();
#pragma omp task firstprivate(event)
      omp_fulfill_event(event);
      omp_taskwait_detach(event);
#pragma omp atomic
      passed++;
    }
  }
  CHECK(passed == kTasks);
  // Thousands of stacks where a thousand tasks are queued: each has a page touched at least.
  check_peak_memory_below_kib(40 * 1024);
  return 0;
}
