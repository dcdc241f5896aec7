// A task holds a lock while it waits; who would fulfil its event wants the lock first.
#include <heddle.h>

int main(void) {
  omp_lock_t lock;
  omp_init_lock(&lock);
  omp_event_handle_t event = omp_task_continuation_event();
#pragma omp parallel num_threads(2) shared(lock, event)
#pragma omp single
  {
#pragma omp task shared(lock, event)
    {
      omp_set_lock(&lock);         // culprit, seen by the watchdog
      omp_taskwait_detach(event);  // culprit
      omp_unset_lock(&lock);
    }
#pragma omp task shared(lock, event)
    {
      heddle_task_sleep_ns(50000000);
      omp_set_lock(&lock);  // culprit
      omp_fulfill_event(event);
      omp_unset_lock(&lock);
    }
  }
  return 0;
}
