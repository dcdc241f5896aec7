// Two tasks take two nestable locks in opposite order, one of them by a test.
//
// says: they wait in a cycle: the task of
#include <omp.h>

static omp_nest_lock_t first, second;
static int holders;

static void wait_for_both(void) {
  int seen = 0;
#pragma omp atomic
  holders++;
  while (seen < 2) {
#pragma omp atomic read
    seen = holders;
  }
}

int main(void) {
  omp_init_nest_lock(&first);
  omp_init_nest_lock(&second);
#pragma omp parallel num_threads(3)
#pragma omp single
  {
#pragma omp task
    {
      omp_set_nest_lock(&first);  // culprit, seen by the watchdog
      wait_for_both();
      omp_set_nest_lock(&second);  // culprit
    }
#pragma omp task
    {
      omp_test_nest_lock(&second);  // culprit, seen by the watchdog
      wait_for_both();
      omp_set_nest_lock(&first);  // culprit
    }
  }
  return 0;
}
