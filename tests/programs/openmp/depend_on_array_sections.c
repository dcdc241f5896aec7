// Dependences on array sections of the same storage order tasks; those on disjoint ones do not.
// OpenMP 5.1, 2.1.5 array sections; 2.19.11 depend clause.
#include <omp.h>

#include "check.h"

int main(void) {
  enum { kBlocks = 8, kSize = 16, kRounds = 40 };
  static long cells[kBlocks * kSize];
  static long grid[kBlocks][kSize];
  long* pointer = cells;
#pragma omp parallel shared(pointer)
#pragma omp single
  {
    for (int round = 0; round < kRounds; round++) {
      for (int b = 0; b < kBlocks; b++) {
#pragma omp task depend(inout : pointer[b * kSize : kSize])
        for (int i = 0; i < kSize; i++) {
          CHECK(pointer[b * kSize + i] == round);
          pointer[b * kSize + i]++;
        }
#pragma omp task depend(in : cells[b * kSize : kSize]) depend(inout : grid[b][0 : kSize])
        for (int i = 0; i < kSize; i++) grid[b][i] += cells[b * kSize + i];
      }
    }
    // Neighbouring blocks are independent: the second may complete the first, which waits for its event.
    omp_event_handle_t event;
#pragma omp task depend(out : cells[0 : kSize]) detach(event)
    {
    }
#pragma omp task depend(out : cells[kSize : kSize]) firstprivate(event)
    omp_fulfill_event(event);
  }
  for (int i = 0; i < kBlocks * kSize; i++) {
    CHECK(cells[i] == kRounds && grid[i / kSize][i % kSize] == kRounds * (kRounds + 1) / 2);
  }
  return 0;
}
