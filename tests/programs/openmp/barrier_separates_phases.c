// What a thread wrote before a barrier, every thread reads after it; implicit barriers of for do the same.
// OpenMP 5.1, 2.19.2 barrier construct and 2.19.3 implicit barriers.
#include <omp.h>

#include "check.h"

enum { kPhases = 300, kMost = 64 };

int main(void) {
  static int phase[kMost];
  static int row[2][kMost];
#pragma omp parallel
  {
    int self = omp_get_thread_num();
    int team = omp_get_num_threads();
    CHECK(team <= kMost);
    for (int p = 1; p <= kPhases; p++) {
      phase[self] = p;
#pragma omp barrier
      for (int other = 0; other < team; other++) CHECK(phase[other] == p);
#pragma omp barrier
    }
#pragma omp for
    for (int i = 0; i < kMost; i++) row[0][i] = i;
    for (int p = 1; p <= kPhases; p++) {
      int from = (p - 1) % 2;
#pragma omp for schedule(static)
      for (int i = 0; i < kMost; i++) row[1 - from][i] = row[from][(i + 1) % kMost];
    }
#pragma omp for schedule(dynamic, 3)
    for (int i = 0; i < kMost; i++) CHECK(row[kPhases % 2][i] == (i + kPhases) % kMost);
  }
  return 0;
}
