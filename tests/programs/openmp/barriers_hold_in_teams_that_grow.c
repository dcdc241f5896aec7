// A region that has more threads than the one before: nobody passes its barrier before all have come, also
// where tasks or threads without a processor of their own let a thread of the last region be late.
// OpenMP 5.1, 2.19.2 barrier construct.
#include <omp.h>

#include "check.h"

enum { kRounds = 300, kMost = 7 };

static int tasks;

static void open(int threads, int with_a_task) {
  int come = 0, executed = 0;
#pragma omp parallel num_threads(threads)
  {
    if (with_a_task) {
#pragma omp single nowait
      {
#pragma omp task shared(executed)
        {
#pragma omp atomic
          ++executed;
        }
      }
    }
#pragma omp atomic
    ++come;
#pragma omp barrier
    CHECK(come == omp_get_num_threads());
    CHECK(executed == with_a_task);
  }
  tasks += executed;
}

int main(void) {
  for (int round = 0; round < kRounds; ++round)
    for (int threads = 2; threads <= kMost; ++threads) open(threads, (round + threads) % 2);
  CHECK(tasks == kRounds * (kMost - 1) / 2);
  return 0;
}
