// A task that depends on omp_all_memory follows every earlier sibling with dependences and precedes every
// later one. OpenMP 5.1, 2.19.11 depend clause, omp_all_memory.
#include <omp.h>

#include "check.h"

int main(void) {
  enum { kRounds = 50, kSlots = 15 };
  int slots[kSlots] = {0};
#pragma omp parallel shared(slots)
#pragma omp single
  for (int round = 0; round < kRounds; round++) {
    for (int i = 0; i < kSlots; i++) {
#pragma omp task depend(inout : slots[i]) shared(slots)
      slots[i]++;
    }
#pragma omp task depend(out : omp_all_memory) shared(slots)
    for (int i = 0; i < kSlots; i++) CHECK(slots[i] == 2 * round + 1);
    for (int i = 0; i < kSlots; i += 2) {
#pragma omp task depend(in : slots[i]) shared(slots)
      CHECK(slots[i] == 2 * round + 1);
    }
#pragma omp task depend(inout : omp_all_memory) shared(slots)
    for (int i = 0; i < kSlots; i++) slots[i]++;
  }
  for (int i = 0; i < kSlots; i++) CHECK(slots[i] == 2 * kRounds);
  return 0;
}
