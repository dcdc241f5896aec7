// To make a graph costs what a few replays save: where a region's records have been reset after two
// executions, twice in a row, the next one becomes a graph when it is executed for the third time. Where such
// records have not been replayed at all, twice in a row, the region is recorded when it is executed for the
// third time, and not before. Tasks of some microseconds, which are worth sharing.
#include <omp.h>
#include <stdatomic.h>

#include "check.h"
#include "heddle.h"

enum { kTasks = 40, kRounds = 10, kEndlessRounds = 6 };

static long value;
static atomic_long spins;

static void multiply_and_add(int i) {
  for (int spin = 0; spin < 2000; spin++) atomic_fetch_add_explicit(&spins, 1, memory_order_relaxed);
  value = (value * 3 + i) % 1000003;
}

static int bodies;

static void execute(int resets) {
  HEDDLE_TASKGRAPH(.graph_reset = resets) {
    bodies++;
    for (int i = 0; i < kTasks; i++) {
#pragma omp task depend(inout : value)
      multiply_and_add(i);
    }
  }
}

static void expect(int rounds) {
  long expected = 0;
  for (int round = 0; round < rounds; round++)
    for (int i = 0; i < kTasks; i++) expected = (expected * 3 + i) % 1000003;
  CHECK(value == expected);
}

int main(void) {
#pragma omp parallel
#pragma omp single
  {
    const int is_alone = omp_get_num_threads() == 1;  // one thread needs no graph
    for (int round = 0; round < kRounds; round++) {
      execute(round % 2 == 0);
      expect(round + 1);
    }
    CHECK(bodies == (is_alone ? kRounds / 2 : kRounds - 2));
    bodies = 0;
    for (int round = 0; round < kEndlessRounds; round++) {
      execute(round == 0);
      expect(kRounds + round + 1);
    }
    CHECK(bodies == (is_alone ? 1 : 3));
    bodies = 0;
    for (int round = 0; round < kRounds; round++) execute(round % 5 == 0);
    CHECK(bodies == 2);  // it has been replayed: recorded at once
  }
  return 0;
}
