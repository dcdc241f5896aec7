// One thread does not reach a barrier: it is in a loop that never ends.
//
// says: thread 1 has not reached the barrier: it is being executed at
// says: thread 0 has reached the barrier
// attach says: thread 1 has not reached the barrier: it is being executed at
// attach says: thread 0 has reached the barrier
#include <omp.h>

static volatile int goes_on = 1;

static void compute(void) {
  while (goes_on) {  // culprit
  }
}

int main(void) {
#pragma omp parallel num_threads(2)
  {
    if (omp_get_thread_num() == 1) compute();  // culprit
#pragma omp barrier
    goes_on = 0;  // the barrier before this line is never passed
  }
  return 0;
}
