// Nothing says that tasks may have events before the first of them asks for one: it was executed at its
// creation, and is complete when its event has come all the same.
#include "support.h"

#include <omp.h>

static task_slot slot;

static void take_event(void) {
  struct alpi_task* const self = self_task();
  CHECK_SUCCESS(alpi_task_events_increase(self, 1));
  atomic_store(&slot, self);
}

static void* send_event(void* has_come) {
  pause_thread_us(20000);
  atomic_store((atomic_int*)has_come, 1);
  CHECK_SUCCESS(alpi_task_events_decrease(atomic_load(&slot), 1));
  return NULL;
}

static void wait_for_its_event(int in_group) {
  atomic_int has_come = 0;
  atomic_store(&slot, NULL);
  pthread_t sender;
  if (in_group) {
#pragma omp taskgroup
    {
#pragma omp task
      take_event();
      wait_for_task(&slot);
      sender = start_foreign_thread(send_event, &has_come);
    }
  } else {
#pragma omp task
    take_event();
    struct alpi_task* const task = atomic_load(&slot);
    if (task == NULL) wait_for_task(&slot);
    sender = start_foreign_thread(send_event, &has_come);
#pragma omp taskwait
  }
  CHECK(atomic_load(&has_come) == 1);
  pthread_join(sender, NULL);
}

int main(int count, char** arguments) {
  (void)arguments;
  find_alpi();
  for (int round = 0; round < 3; ++round) {
#pragma omp parallel
#pragma omp single
    wait_for_its_event((round + count) % 2);
  }
  return 0;
}
