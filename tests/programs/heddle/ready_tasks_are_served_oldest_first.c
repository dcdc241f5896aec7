// HEDDLE_READY=oldest: tasks are executed in the order in which they became ready, so that of many chains
// none is ahead of another by more than a link; and all of them, with any number of threads.
#include <omp.h>

#include "heddle.h"
#include "rerun.h"

enum { kTasks = 300, kChains = 40, kLinks = 20 };

static void independent_tasks_come_in_order(void) {
  int next = 0;
#pragma omp parallel num_threads(1) shared(next)
  {
    for (int i = 0; i < kTasks; i++) {
#pragma omp task shared(next) firstprivate(i)
      CHECK(next++ == i);
    }
#pragma omp taskwait
  }
  CHECK(next == kTasks);
}

static void chains_keep_step(void) {
  int at[kChains] = {0};
#pragma omp parallel num_threads(1) shared(at)
  {
    for (int c = 0; c < kChains; c++) {
      for (int link = 0; link < kLinks; link++) {
#pragma omp task depend(inout : at[c]) shared(at) firstprivate(c)
        {
          for (int other = 0; other < kChains; other++) CHECK(at[other] == at[c] + (other < c));
          at[c]++;
        }
      }
    }
#pragma omp taskwait
  }
  for (int c = 0; c < kChains; c++) CHECK(at[c] == kLinks);
}

static int fib(int n) {
  if (n < 2) return n;
  int a, b;
#pragma omp task shared(a)
  a = fib(n - 1);
#pragma omp task shared(b)
  b = fib(n - 2);
#pragma omp taskwait
  return a + b;
}

static void all_are_executed(void) {
  int sum = 0, result = 0;
#pragma omp parallel shared(sum, result)
  {
    for (int i = 0; i < kTasks; i++) {
#pragma omp task shared(sum) priority(i % 3)
      {
#pragma omp atomic
        sum++;
      }
    }
#pragma omp barrier
#pragma omp single
    {
      CHECK(sum == kTasks * omp_get_num_threads());
      result = fib(15);
    }
  }
  CHECK(result == 610);
}

int main(int argc, char** argv) {
  (void)argv;
  if (argc == 1) {
    const rerun_result* const ran = rerun("HEDDLE_READY=oldest", "oldest");
    if (ran->status != 0) fprintf(stderr, "%s", ran->output);
    return ran->status;
  }
  heddle_set_throttle(HEDDLE_HOLD, 0);
  independent_tasks_come_in_order();
  chains_keep_step();
  all_are_executed();
  return 0;
}
