// One thread does not reach a barrier: it is in a nested region, where one thread does not reach the end.
//
// says: thread 1 has not reached the barrier: it is in a nested parallel region
// says: the implicit task of thread 1 at nesting level 2 is being executed at
// attach says: thread 1 has not reached the barrier: it is in a nested parallel region
// attach says: the implicit task of thread 1 at nesting level 2 is being executed at
#include <omp.h>

static volatile int goes_on = 1;

static void compute(void) {
#pragma omp parallel num_threads(2)
  if (omp_get_thread_num() == 1)
    while (goes_on) {  // culprit
    }
}

int main(void) {
  omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2)
  {
    if (omp_get_thread_num() == 1) compute();
#pragma omp barrier
    goes_on = 0;  // the barrier before this line is never passed
  }
  return 0;
}
