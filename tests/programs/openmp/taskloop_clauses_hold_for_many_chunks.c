// Where a taskloop has thousands of short tasks, its clauses give what they give for a few: lastprivate,
// reduction, in_reduction, priority, untied, final and if(0). OpenMP 5.1, 2.12.2 taskloop construct.
#include <omp.h>

#include "check.h"
#include "rerun.h"
#include "support/sanitized.h"

#ifdef __clang__  // Clang 19 warns of the unsigned bounds that it makes for every taskloop itself.
#  pragma clang diagnostic ignored "-Wsign-compare"
#endif

#ifdef IS_SANITIZED
enum { kTrip = 10000, kRounds = 2 };
#else
enum { kTrip = 10000, kRounds = 10 };
#endif

static void clauses(void) {
  int last = -1, both = 3;
#pragma omp taskloop grainsize(1) lastprivate(last) firstprivate(both) lastprivate(both)
  for (int i = 0; i < kTrip; i++) {
    CHECK(both == 3);
    both = i;
    last = 2 * i;
  }
  CHECK(last == 2 * kTrip - 2 && both == kTrip - 1);

  long sum = 5;
#pragma omp taskloop grainsize(1) reduction(+ : sum)
  for (int i = 0; i < kTrip; i++) sum += i;
  CHECK(sum == 5 + kTrip / 2 * (kTrip - 1L));

  sum = 0;
#pragma omp taskgroup task_reduction(+ : sum)
  {
#pragma omp taskloop grainsize(1) in_reduction(+ : sum) nogroup
    for (int i = 0; i < kTrip; i++) sum += i;
  }
  CHECK(sum == kTrip / 2 * (kTrip - 1L));

  static int runs[kTrip];
#pragma omp taskloop grainsize(1) priority(3) shared(runs)
  for (int i = 0; i < kTrip; i++) runs[i]++;
#pragma omp taskloop num_tasks(3000) priority(1) shared(runs) untied
  for (int i = 0; i < kTrip; i++) {
    runs[i]++;
    if (i % 64 == 0) {
#pragma omp taskyield
    }
  }
#pragma omp taskloop grainsize(1) untied shared(runs)
  for (int i = 0; i < kTrip; i++) {
    if (i % 64 == 0) {
#pragma omp task shared(runs)
      runs[i]++;
#pragma omp taskwait
    } else {
      runs[i]++;
    }
  }
  const int thread = omp_get_thread_num();
#pragma omp taskloop grainsize(1) final(1) shared(runs)
  for (int i = 0; i < kTrip; i++) {
    CHECK(omp_in_final());
#pragma omp task shared(runs)
    runs[i]++;
  }
  int next = 0;
#pragma omp taskloop grainsize(1) if (0) shared(runs, next)
  for (int i = 0; i < kTrip; i++) {
    CHECK(omp_get_thread_num() == thread && !omp_in_final());
    CHECK(next == i);
    next++;
#pragma omp task shared(runs)
    {
#pragma omp atomic
      runs[i]++;
    }
  }
  CHECK(next == kTrip);
  for (int i = 0; i < kTrip; i++) {
    CHECK(runs[i] == 5);
    runs[i] = 0;
  }
}

int main(int argc, char** argv) {
  (void)argv;
  if (argc == 1) {
    const rerun_result* result = rerun("OMP_MAX_TASK_PRIORITY=9", "urgent");
    if (result->status != 0) printf("%s", result->output);
    CHECK(result->status == 0);
  }
#pragma omp parallel
#pragma omp single
  for (int round = 0; round < kRounds; round++) clauses();
  return 0;
}
