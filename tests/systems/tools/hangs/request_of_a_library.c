// A library that has a task's request says what it is.
// says: outstanding: a parcel from rank 3
// says: outstanding: a parcel that no task has bound
// attach says: outstanding: a parcel from rank 3
#include <heddle.h>
#include <stddef.h>

static const void* waits;

static void tell(void* argument, void (*say)(void* report, const void* task, const char* what),
                 void* report) {
  say(report, waits, (const char*)argument);
  say(report, NULL, "a parcel that no task has bound");
}

int main(void) {
  heddle_register_waits(tell, (void*)"a parcel from rank 3");
#pragma omp parallel num_threads(2)
#pragma omp single
#pragma omp task
  {
    omp_event_handle_t parcel = omp_task_continuation_event();
    waits = heddle_current_task();
    omp_taskwait_detach(parcel);  // culprit
  }
  return 0;
}
