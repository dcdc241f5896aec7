// A task ends and keeps a lock; others are created in the memory that it had, one of which wants the lock.
//
// says: which has ended without giving it back
#include <omp.h>

static omp_lock_t lock;

int main(void) {
  int x = 0;
  omp_init_lock(&lock);
#pragma omp parallel num_threads(2)
#pragma omp single
  {
#pragma omp task
    omp_set_lock(&lock);  // culprit, seen by the watchdog
#pragma omp taskwait
    for (int i = 0; i < 100; i++) {
#pragma omp task shared(x)
      {
#pragma omp atomic
        x++;
      }
#pragma omp taskwait
    }
#pragma omp task shared(x)
    {
      omp_set_lock(&lock);  // culprit
      x++;
    }
  }
  return x;
}
