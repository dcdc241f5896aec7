// Tasks that wait for others take no more memory than the throttle says, as long as the others get on; and a
// producer whose tasks wait for what it does itself goes on all the same.
#include <omp.h>

#include "check.h"
#include "heddle.h"
#include "support/peak_memory.h"

int main(void) {
  enum { kTasks = 200000, kMiB = 1024 };
  typedef struct {
    char bytes[200];
  } data_t;
  heddle_set_throttle(0, 4 << 20);
  const long before = peak_memory_kib();
  long done = 0;
#pragma omp parallel
#pragma omp single
  {
    data_t data = {{0}};
    for (int i = 0; i < kTasks; i++) {
#pragma omp task depend(inout : done) shared(done) firstprivate(data)
      done += 1 + data.bytes[0];
    }
  }
  CHECK(done == kTasks);
  check_peak_memory_below_kib(before + 16 * kMiB);  // without a throttle it would take 80

  // All wait for the first, whose event the producer fulfils.
  int counted = 0;
#pragma omp parallel
#pragma omp single
  {
    omp_event_handle_t event;
#pragma omp task depend(out : counted) detach(event) shared(counted)
    counted = 1;
    data_t data = {{0}};
    for (int i = 0; i < 30000; i++) {
#pragma omp task depend(inout : counted) shared(counted) firstprivate(data)
      counted += 1 + data.bytes[0];
    }
    omp_fulfill_event(event);
#pragma omp taskwait
    CHECK(counted == 30001);
  }
  return 0;
}
