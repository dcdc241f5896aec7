// Members of an inoutset may run together, after all readers and writers before the set and before those
// after it. OpenMP 5.1, 2.19.11 depend clause, inoutset.
#include <omp.h>

#include "check.h"

int main(void) {
  enum { kRounds = 50, kMembers = 10 };
  int slots[kMembers] = {0};
#pragma omp parallel shared(slots)
#pragma omp single
  {
    for (int round = 1; round <= kRounds; round++) {
#pragma omp task depend(out : slots) shared(slots)
      for (int i = 0; i < kMembers; i++) slots[i] = round;
      omp_event_handle_t event;
#pragma omp task depend(inoutset : slots) shared(slots) detach(event)
      slots[0] += 1;
      for (int i = 1; i < kMembers - 1; i++) {
#pragma omp task depend(inoutset : slots) shared(slots)
        slots[i] += 1;
      }
#pragma omp task depend(inoutset : slots) shared(slots) firstprivate(event)
      {
        slots[kMembers - 1] += 1;
        omp_fulfill_event(event);
      }
      for (int reader = 0; reader < 3; reader++) {
#pragma omp task depend(in : slots) shared(slots)
        for (int i = 0; i < kMembers; i++) CHECK(slots[i] == round + 1);
      }
#pragma omp task depend(inoutset : slots) shared(slots)
      slots[0] += 5;
#pragma omp task depend(inoutset : slots) shared(slots)
      slots[1] += 6;
#pragma omp task depend(inout : slots) shared(slots)
      CHECK(slots[0] == round + 6 && slots[1] == round + 7);
    }
  }
  return 0;
}
