// An iterator in a depend clause stands for one dependence per value of its, strided ones and empty ranges
// included. OpenMP 5.1, 2.1.6 iterators; 2.19.11 depend clause.
#include <omp.h>

#include "check.h"

int main(void) {
  enum { kSlots = 64, kRounds = 30 };
  static int slots[kSlots];
  long total = 0;
  int free_task = 0;
#pragma omp parallel shared(total, free_task)
#pragma omp single
  for (int round = 1; round <= kRounds; round++) {
    for (int i = 0; i < kSlots; i++) {
#pragma omp task depend(inout : slots[i])
      slots[i] = round * 1000 + i;
    }
    for (int half = 0; half < 2; half++) {
#pragma omp task depend(iterator(int k = half:kSlots : 2), in : slots[k]) depend(inout : total) shared(total)
      for (int k = half; k < kSlots; k += 2) {
        CHECK(slots[k] == round * 1000 + k);
        total += k;
      }
    }
#pragma omp task depend(iterator(int a = 0 : 4, int b = 60 : 44 : -4), inout : slots[a + b])
    for (int k = 48; k < 64; k++) slots[k] = -k;
#pragma omp task depend(iterator(int k = 48 : 64), in : slots[k])
    for (int k = 48; k < 64; k++) CHECK(slots[k] == -k);
#pragma omp task depend(iterator(int k = 5 : 5), inout : slots[k]) shared(free_task)
    {
#pragma omp atomic
      free_task++;
    }
  }
  CHECK(total == 30L * kSlots * (kSlots - 1) / 2 && free_task == kRounds);
  return 0;
}
