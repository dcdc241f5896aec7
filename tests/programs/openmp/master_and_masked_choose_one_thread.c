// Only thread 0 executes a master region; masked takes the thread that filter names, and none where there is
// none. OpenMP 5.1, 2.8 masked construct.
#include <omp.h>

#include "check.h"

enum { kRounds = 100 };
static int masters[kRounds];
static int filtered[kRounds];
static int nobody[kRounds];

int main(void) {
#pragma omp parallel
  for (int round = 0; round < kRounds; round++) {
#pragma omp master
    {
      CHECK(omp_get_thread_num() == 0);
      masters[round]++;
    }
#ifdef __clang__
    int last = omp_get_num_threads() - 1;
#  pragma omp masked filter(last)
    {
      CHECK(omp_get_thread_num() == last);
      filtered[round]++;
    }
#  pragma omp masked filter(last + 1)
    nobody[round]++;
#  pragma omp masked
    CHECK(omp_get_thread_num() == 0);
#else
    if (omp_get_thread_num() == 0) filtered[round]++;
#endif
  }
  for (int round = 0; round < kRounds; round++) {
    CHECK(masters[round] == 1 && filtered[round] == 1 && nobody[round] == 0);
  }
  return 0;
}
