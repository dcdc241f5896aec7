// A writer follows all the readers and writers before it, a reader follows the last writer, readers do not
// order each other.
// OpenMP 5.1, 2.19.11 depend clause.
#include <omp.h>

#include "check.h"

int main(void) {
  enum { kRounds = 100, kReaders = 12 };
  int x = -1;
  int y = 0;
  int seen[kReaders] = {0};
  int reads = 0;
#pragma omp parallel shared(x, y, seen, reads)
#pragma omp single
  {
    for (int round = 0; round < kRounds; round++) {
#pragma omp task depend(out : x) shared(x)
      {
        CHECK(x == round - 1);
        x = round;
      }
      for (int i = 0; i < kReaders; i++) {
#pragma omp task depend(in : x) depend(out : seen[i]) shared(x, seen, reads)
        {
          CHECK(x == round);
          seen[i] += x;
#pragma omp atomic
          reads++;
        }
      }
#pragma omp task depend(inout : y) depend(in : seen[3]) shared(y, seen)
      y += seen[3];
    }
#pragma omp taskwait
    int wanted = 0;
    for (int round = 0; round < kRounds; round++) wanted += round * (round + 1) / 2;
    CHECK(y == wanted && reads == kRounds * kReaders && x == kRounds - 1);

    // Two readers are not ordered: the second may complete the first, which waits for its event.
    omp_event_handle_t event;
#pragma omp task depend(in : x) detach(event)
    {
    }
#pragma omp task depend(in : x) firstprivate(event)
    omp_fulfill_event(event);
#pragma omp task depend(inout : x) shared(x)
    x = 7;
#pragma omp taskwait
    CHECK(x == 7);
  }
  return 0;
}
