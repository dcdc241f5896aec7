// A creator whose tasks wait for one that goes on executes what that one has made ready, wherever it stands,
// before it creates more: here the task goes on only once its creator has helped.
#include <omp.h>

#include "check.h"
#include "heddle.h"

enum { kBlocked = 20000, kReady = 100 };
static const double kPatience = 10;  // seconds

static int creator, has_begun, executed_by_creator, has_created_all, executed;

static int read_flag(const int* flag) {
  int value;
#pragma omp atomic read
  value = *flag;
  return value;
}

static void write_flag(int* flag) {
#pragma omp atomic write
  *flag = 1;
}

// Executed by another thread than the creator.
static void go_on_once_helped(void) {
  for (int i = 0; i < kReady; i++) {
#pragma omp task
    if (omp_get_thread_num() == creator && !read_flag(&has_created_all)) write_flag(&executed_by_creator);
  }
  write_flag(&has_begun);
  const double end = omp_get_wtime() + kPatience;
  while (!read_flag(&executed_by_creator) && omp_get_wtime() < end) continue;
#pragma omp taskwait
}

static void create_far_ahead(void) {
  int cell = 0;
  creator = omp_get_thread_num();
#pragma omp task depend(inout : cell)
  go_on_once_helped();
  while (!read_flag(&has_begun)) continue;
  for (int i = 0; i < kBlocked; i++) {
#pragma omp task depend(inout : cell) shared(cell)
    cell++;
  }
  write_flag(&has_created_all);
#pragma omp taskwait
  executed = cell;
}

int main(void) {
  // A throttle of the program's own: its tasks are shared, long or short.
  heddle_set_throttle(1024, 64 << 20);
#pragma omp parallel num_threads(2)
#pragma omp single
  {
    CHECK(omp_get_num_threads() == 2);
    create_far_ahead();
  }
  CHECK(executed == kBlocked);
  CHECK(executed_by_creator);
  return 0;
}
