// Three tasks that wait for events in a function of their own, each with another number, and one that is
// executed.
#include <heddle.h>
#include <omp.h>
#include <stdio.h>

static omp_event_handle_t events[3];
static int passed = 0;

__attribute__((noinline)) void wait_in_a_function(int number, omp_event_handle_t event) {
  omp_taskwait_detach(event);
#pragma omp atomic
  passed += number;
}

__attribute__((noinline)) void look_here(void) {
  __asm__ volatile("");
}

int main(void) {
#pragma omp parallel num_threads(2)
#pragma omp single
  {
    for (int i = 0; i < 3; i++) {
#pragma omp task firstprivate(i)
      {
        omp_event_handle_t event = omp_task_continuation_event();
        __atomic_store_n(&events[i], event, __ATOMIC_RELEASE);
        wait_in_a_function(i + 1, event);
      }
    }
    for (int i = 0; i < 3; i++)
      while (__atomic_load_n(&events[i], __ATOMIC_ACQUIRE) == 0) {
#pragma omp taskyield
      }
    heddle_task_sleep_ns(20000000);
    look_here();
    for (int i = 0; i < 3; i++) omp_fulfill_event(events[i]);
  }
  printf("passed %d\n", passed);
  return passed == 6 ? 0 : 1;
}
