// Of executions that overlap a later one may begin while one thread is busy with the last task of an older
// one: another that sleeps is woken for that.
#include <omp.h>
#include <stdatomic.h>
#include <unistd.h>

#include "heddle.h"
#include "rerun.h"

enum { kSweeps = 6 };
static const double kPatience = 5;  // seconds

static int times_created;
static int left, right, joined, last;  // how often those tasks were executed
static atomic_int begun;

// The next sweep's first task can begin when left and right have been executed.
static void create_sweep(void) {
  times_created++;
#pragma omp task depend(out : begun)
  atomic_fetch_add(&begun, 1);
#pragma omp task depend(in : begun) depend(out : left)
  left++;
#pragma omp task depend(in : begun) depend(out : right)
  {
    usleep(5000);  // who has executed the left one meanwhile sleeps
    right++;
  }
#pragma omp task depend(in : left, right) depend(out : joined)
  joined++;
#pragma omp task depend(in : joined) depend(inout : last)
  {
    const int sweep = last++;  // the first is recorded, and executed before the next begin
    const double end = omp_get_wtime() + kPatience;
    if (sweep > 0 && sweep + 1 < kSweeps)
      while (atomic_load(&begun) < sweep + 2 && omp_get_wtime() < end) continue;
    CHECK(sweep == 0 || sweep + 1 == kSweeps || atomic_load(&begun) >= sweep + 2);
  }
}

int main(int argc, char** argv) {
  (void)argv;
  if (argc == 1) {
    const rerun_result* const ran = rerun("OMP_WAIT_POLICY=passive", "passive");
    if (ran->status != 0) fprintf(stderr, "%s", ran->output);
    return ran->status;
  }
#pragma omp parallel num_threads(2)
#pragma omp single
  {
    CHECK(omp_get_num_threads() == 2);
#pragma omp taskgroup
    for (int sweep = 0; sweep < kSweeps; sweep++) HEDDLE_TASKGRAPH(.nogroup = 1) create_sweep();
    CHECK(joined == kSweeps && left == kSweeps && right == kSweeps && last == kSweeps);
    CHECK(times_created == 1);
  }
  return 0;
}
