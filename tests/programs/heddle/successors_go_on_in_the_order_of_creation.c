// Who completes a task goes on with the oldest of those that have waited for it alone, as one thread would
// have executed them: a sweep goes along its rows, where the next block is near.
#include <omp.h>

#include "check.h"
#include "heddle.h"

enum { kSide = 12, kFan = 9 };

static int executed;

static void along_rows(void) {
  int block[kSide][kSide] = {{0}};
  executed = 0;
  for (int i = 0; i < kSide; i++) {
    for (int j = 0; j < kSide; j++) {
      int *up = &block[i > 0 ? i - 1 : i][j], *left = &block[i][j > 0 ? j - 1 : j];
#pragma omp task depend(in : *up, *left) depend(inout : block[i][j]) firstprivate(i, j)
      CHECK(executed++ == i * kSide + j);
    }
  }
#pragma omp taskwait
  CHECK(executed == kSide * kSide);
}

// More than a task has direct room for.
static void from_first_to_last(void) {
  static int written, read[kFan];
  executed = 0;
#pragma omp task depend(out : written)
  written = 1;
  for (int i = 0; i < kFan; i++) {
#pragma omp task depend(in : written) depend(out : read[i]) firstprivate(i)
    {
      CHECK(written == 1 && executed++ == i);
      read[i] = i;
    }
  }
#pragma omp taskwait
  CHECK(executed == kFan && read[kFan - 1] == kFan - 1);
}

int main(void) {
  heddle_set_throttle(HEDDLE_HOLD, 0);
#pragma omp parallel num_threads(1)
  {
    along_rows();
    from_first_to_last();
  }
  return 0;
}
