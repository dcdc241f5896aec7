// What GCC 13 and later make of omp_all_memory: a dependence out or inout on a null address. Older ones pass
// such an address through. OpenMP 5.1, 2.19.11 depend clause, omp_all_memory.
#include <omp.h>

#include "check.h"

int main(void) {
  enum { kRounds = 50, kSlots = 15 };
  int slots[kSlots] = {0};
  char* all_memory = NULL;
  (void)all_memory;
#pragma omp parallel shared(slots)
#pragma omp single
  for (int round = 0; round < kRounds; round++) {
    for (int i = 0; i < kSlots; i++) {
#pragma omp task depend(inout : slots[i]) shared(slots)
      slots[i]++;
    }
#pragma omp task depend(out : all_memory[0]) shared(slots)
    for (int i = 0; i < kSlots; i++) CHECK(slots[i] == 2 * round + 1);
    for (int i = 0; i < kSlots; i += 2) {
#pragma omp task depend(in : slots[i]) shared(slots)
      CHECK(slots[i] == 2 * round + 1);
    }
    omp_depend_t everything;
#pragma omp depobj(everything) depend(inout : all_memory[0])
#pragma omp task depend(depobj : everything) shared(slots)
    for (int i = 0; i < kSlots; i++) slots[i]++;
#pragma omp depobj(everything) destroy
  }
  for (int i = 0; i < kSlots; i++) CHECK(slots[i] == 2 * kRounds);
  return 0;
}
