// A taskloop of a taskgraph region is a node of its record: with its clauses, what it captures, and what
// comes before and after it.
#include <omp.h>

#include "check.h"
#include "heddle.h"

enum { kRounds = 5, kCells = 1000 };

static int cells[kCells];

static void loops_follow_one_another(void) {
  int bodies = 0, last = 0;
#pragma omp parallel
#pragma omp single
  for (int round = 1; round <= kRounds; round++) {
    const int offset = 3;
    HEDDLE_TASKGRAPH() {
      bodies++;
#pragma omp taskloop grainsize(7) shared(cells)
      for (int i = 0; i < kCells; i++) cells[i] += i;
#pragma omp taskloop num_tasks(13) firstprivate(offset) lastprivate(last) shared(cells)
      for (int i = kCells - 1; i >= 0; i -= 2) {
        cells[i] += offset + cells[i - 1];
        last = i;
      }
#pragma omp taskloop if (0) shared(cells)
      for (int i = 0; i < kCells; i++) cells[i]++;
    }
    CHECK(last == 1);
  }
  CHECK(bodies == 1);
  // The same by hand.
  int odd = 0, even = 0;
  for (int round = 1; round <= kRounds; round++) {
    even += 10;
    odd += 11;
    odd += 3 + even;
    even++;
    odd++;
  }
  CHECK(cells[10] == even && cells[11] == odd);
}

static void loops_without_a_group_end_with_waits(void) {
  int sum = 0, seen = 0, bodies = 0;
#pragma omp parallel
#pragma omp single
  for (int round = 1; round <= kRounds; round++) {
    HEDDLE_TASKGRAPH() {
      bodies++;
#pragma omp taskloop nogroup shared(sum)
      for (unsigned long i = 0; i < 100; i++) {
#pragma omp atomic
        sum++;
      }
#pragma omp taskwait
#pragma omp task shared(seen, sum)
      seen = sum;
#pragma omp taskloop nogroup shared(sum)
      for (int i = 0; i < 0; i++) {
#pragma omp atomic
        sum++;
      }
    }
    CHECK(seen == 100 * round);
  }
  CHECK(bodies == 1);
}

// Clang's reductions are recorded; where GCC combines in the region's own code, it is executed each time.
static void reductions_come_out_the_same(void) {
  int sum = 0, bodies = 0, tasks = 0;
#pragma omp parallel
#pragma omp single
  for (int round = 1; round <= kRounds; round++) {
    HEDDLE_TASKGRAPH() {
      bodies++;
#pragma omp task shared(tasks)
      tasks++;
#pragma omp taskloop reduction(+ : sum)
      for (int i = 0; i < 100; i++) sum += i;
    }
    CHECK(sum == 4950 * round && tasks == round);
  }
#ifdef __clang__
  CHECK(bodies == 1);
#else
  CHECK(bodies == kRounds);
#endif
}

// In one another, with tasks of their own.
static void reductions_nest(void) {
  int outer = 0, inner = 0;
#pragma omp parallel
#pragma omp single
  for (int round = 1; round <= kRounds; round++) {
    HEDDLE_TASKGRAPH() {
#pragma omp taskgroup task_reduction(+ : outer)
      {
        for (int i = 0; i < 10; i++) {
#pragma omp task in_reduction(+ : outer)
          outer += 1;
        }
#pragma omp taskgroup task_reduction(+ : inner)
        {
          for (int i = 0; i < 10; i++) {
#pragma omp task in_reduction(+ : inner) in_reduction(+ : outer)
            {
              inner += 2;
              outer += 3;
            }
          }
        }
#pragma omp task in_reduction(+ : outer)
        outer += 100;
      }
    }
    CHECK(outer == 140 * round && inner == 20 * round);
  }
}

int main(void) {
  loops_follow_one_another();
  loops_without_a_group_end_with_waits();
  reductions_come_out_the_same();
  reductions_nest();
  return 0;
}
