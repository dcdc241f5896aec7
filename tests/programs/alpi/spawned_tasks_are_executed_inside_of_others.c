// A thread that waits in a region of a spawned task executes other spawned tasks meanwhile, which spawn, open
// regions and wait in turn. All of them come to an end, also where somebody looks at what threads do
// (HEDDLE_WATCHDOG).
#include "support.h"

#include <omp.h>

enum { kDepth = 4, kRounds = 50 };

static atomic_int ended;

typedef struct {
  int depth;
} level;
static const level levels[kDepth + 1] = {{0}, {1}, {2}, {3}, {4}};

static void region_of(void* argument) {
  const int depth = ((const level*)argument)->depth;
#pragma omp parallel num_threads(2)
  {
    // The barrier at the end is where they are executed.
#pragma omp single nowait
    for (int i = 0; depth > 0 && i < 2; ++i)
      CHECK_SUCCESS(alpi_task_spawn(region_of, (void*)&levels[depth - 1], count_up, &ended, "inside", NULL));
  }
}

int main(void) {
  find_alpi();
  CHECK_SUCCESS(alpi_version_check(1, 2));
  for (int round = 0; round < kRounds; ++round) {
    atomic_store(&ended, 0);
    CHECK_SUCCESS(alpi_task_spawn(region_of, (void*)&levels[kDepth], count_up, &ended, "outside", NULL));
    wait_for_number(&ended, (2 << kDepth) - 1);
  }
}
