// A thread leaves a parallel region with a lock that it wants in the next.
//
// says: by the implicit task of thread 0, which has ended without giving it back
#include <omp.h>

static omp_lock_t lock;
static int held;

int main(void) {
  omp_init_lock(&lock);
#pragma omp parallel num_threads(2)
  if (omp_get_thread_num() == 0) {
    omp_set_lock(&lock);  // culprit, seen by the watchdog
    held++;
  }
#pragma omp parallel num_threads(2)
  if (omp_get_thread_num() == 1) {
    omp_set_lock(&lock);  // culprit
    omp_unset_lock(&lock);
  }
  return held;
}
