// omp_get_schedule returns what omp_set_schedule set, task by task: a region inherits it and keeps its own
// changes. OpenMP 5.1, 3.2.11 omp_set_schedule, 3.2.12 omp_get_schedule; 2.4.3 scope of ICVs.
#include <omp.h>

#include "check.h"

static void expect(omp_sched_t kind, int chunk) {
  omp_sched_t got;
  int size;
  omp_get_schedule(&got, &size);
  CHECK((omp_sched_t)((unsigned)got & 0x7fffffffu) == kind);
  CHECK(size == chunk);
}

int main(void) {
  omp_set_schedule(omp_sched_dynamic, 5);
  expect(omp_sched_dynamic, 5);
  omp_set_schedule(omp_sched_guided, 17);
  expect(omp_sched_guided, 17);
  omp_set_schedule(omp_sched_static, 3);
  expect(omp_sched_static, 3);
  omp_set_schedule((omp_sched_t)((unsigned)omp_sched_dynamic | (unsigned)omp_sched_monotonic), 4);
  expect(omp_sched_dynamic, 4);
  omp_set_schedule(omp_sched_dynamic, 0);
  expect(omp_sched_dynamic, 1);
  omp_set_schedule(omp_sched_guided, 9);
#pragma omp parallel
  {
    expect(omp_sched_guided, 9);
    omp_set_schedule(omp_sched_dynamic, 10 + omp_get_thread_num());
#pragma omp barrier
    expect(omp_sched_dynamic, 10 + omp_get_thread_num());
  }
  expect(omp_sched_guided, 9);
  return 0;
}
