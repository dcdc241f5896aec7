// With OMP_CANCELLATION=true: a task of a taskloop that cancels the loop's taskgroup, or one around it, keeps
// those from being executed that have not begun; the loop's end is reached, and the next loop is whole.
// OpenMP 5.1, 2.20.1 cancel construct.
#include <omp.h>

#include "check.h"
#include "rerun.h"
#include "support/sanitized.h"

#ifdef __clang__  // Clang 19 warns of the unsigned bounds that it makes for every taskloop itself.
#  pragma clang diagnostic ignored "-Wsign-compare"
#endif

#ifdef IS_SANITIZED
enum { kTrip = 20000, kRepeats = 8 };
#else
enum { kTrip = 20000, kRepeats = 50 };
#endif

// The first task that begins cancels; the others that have begun by then wait for it.
static void in_its_own_group(void) {
  int executed = 0;
#pragma omp taskloop grainsize(1) shared(executed)
  for (int i = 0; i < kTrip; i++) {
    int order;
#pragma omp atomic capture
    order = executed++;
    if (order == 0) {
#pragma omp cancel taskgroup
    }
    while (order >= 0) {
#pragma omp cancellation point taskgroup
    }
  }
  CHECK(executed >= 1 && executed <= omp_get_num_threads());
}

static void in_a_group_around_it(void) {
  int executed = 0;
#pragma omp taskgroup
  {
#pragma omp taskloop grainsize(1) nogroup shared(executed)
    for (int i = 0; i < kTrip; i++) {
      int order;
#pragma omp atomic capture
      order = executed++;
      if (order == 0) {
#pragma omp cancel taskgroup
      }
      while (order >= 0) {
#pragma omp cancellation point taskgroup
      }
    }
  }
  CHECK(executed >= 1 && executed <= omp_get_num_threads());
}

static void late(void) {
  int executed = 0, last = 0;
#pragma omp taskloop num_tasks(kTrip) shared(executed, last)
  for (int i = 0; i < kTrip; i++) {
    int order;
#pragma omp atomic capture
    order = executed++;
    if (order == kTrip / 2) {
#pragma omp cancel taskgroup
    }
    if (order == kTrip - 1) last = 1;
  }
  if (omp_get_num_threads() == 1) CHECK(executed == kTrip / 2 + 1 && !last);
  CHECK(executed > kTrip / 2 && executed <= kTrip);
}

static void nothing_remains(void) {
  int sum = 0;
#pragma omp taskloop grainsize(1) shared(sum)
  for (int i = 0; i < 500; i++) {
#pragma omp atomic
    sum += i;
  }
  CHECK(sum == 499 * 250);
}

int main(int argc, char** argv) {
  (void)argv;
  if (argc == 1) {
    const rerun_result* result = rerun("OMP_CANCELLATION=true", "cancelling");
    if (result->status != 0) printf("%s", result->output);
    return result->status;
  }
  CHECK(omp_get_cancellation());
#pragma omp parallel
#pragma omp single
  for (int repeat = 0; repeat < kRepeats; ++repeat) {
    in_its_own_group();
    nothing_remains();
    in_a_group_around_it();
    nothing_remains();
    late();
    nothing_remains();
  }
  return 0;
}
