// What a replay needs for its tasks is used again: any number of replays takes no more memory than a few.
#include <omp.h>

#include "check.h"
#include "heddle.h"
#include "support/peak_memory.h"

// A task that is not given back takes 192 bytes: 56 MiB in all.
enum { kSide = 32, kRounds = 300, kWarmUp = 20, kMostGrowthKiB = 16 << 10 };

static long cells[kSide + 1][kSide + 1];

int main(void) {
  int times_created = 0;
  long after_warm_up = 0;
#pragma omp parallel
#pragma omp single
  for (int round = 0; round < kRounds; round++) {
    if (round == kWarmUp) after_warm_up = peak_memory_kib();
    HEDDLE_TASKGRAPH() {
      times_created++;
      for (int i = 1; i <= kSide; i++) {
        for (int j = 1; j <= kSide; j++) {
          long *const self = &cells[i][j], *const up = &cells[i - 1][j], *const left = &cells[i][j - 1];
#pragma omp task depend(in : *up, *left) depend(inout : *self)
          *self = (*self + *up + *left + 1) % 1000003;
        }
      }
    }
  }
  const long growth = peak_memory_kib() - after_warm_up;
  if (growth > kMostGrowthKiB) printf("grew by %ld KiB\n", growth);
  CHECK(growth <= kMostGrowthKiB);
  long expected[kSide + 1][kSide + 1] = {{0}};
  for (int round = 0; round < kRounds; round++) {
    for (int i = 1; i <= kSide; i++) {
      for (int j = 1; j <= kSide; j++)
        expected[i][j] = (expected[i][j] + expected[i - 1][j] + expected[i][j - 1] + 1) % 1000003;
    }
  }
  for (int i = 1; i <= kSide; i++) {
    for (int j = 1; j <= kSide; j++) CHECK(cells[i][j] == expected[i][j]);
  }
  CHECK(times_created == 1);
  return 0;
}
