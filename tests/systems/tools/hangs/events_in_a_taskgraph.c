// A task of a replayed taskgraph has an event of a library, which does not come; what depends on it waits.
// says: has returned and waits for events of a library, which have not come
// attach says: has returned and waits for events of a library, which have not come
// says: outstanding: a parcel from rank 3
// attach says: outstanding: a parcel from rank 3
#include <heddle.h>
#include <stddef.h>
#include <stdint.h>

struct alpi_task;
int alpi_task_self(struct alpi_task** task) __attribute__((weak));
int alpi_task_events_increase(struct alpi_task* task, uint64_t count) __attribute__((weak));

static const void* waits;
static int data;

static void tell(void* argument, void (*say)(void* report, const void* task, const char* what),
                 void* report) {
  say(report, waits, (const char*)argument);
}

static void receive(int round) {
  struct alpi_task* self = NULL;
  alpi_task_self(&self);
  waits = heddle_current_task();
  if (round == 1) alpi_task_events_increase(self, 1);
}

int main(void) {
  static int round;
  heddle_register_waits(tell, (void*)"a parcel from rank 3");
#pragma omp parallel num_threads(2)
#pragma omp single
  for (round = 0; round < 2; round++) {
    HEDDLE_TASKGRAPH() {
#pragma omp task depend(out : data)  // culprit
      receive(round);
#pragma omp task depend(in : data)
      data++;
    }
  }
  return 0;
}
