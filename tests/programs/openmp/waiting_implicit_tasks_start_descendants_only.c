// An implicit task that waits in taskwait is a suspended tied task like any other: its thread may not start
// the explicit tasks of other implicit tasks there, one of which may ask for the lock the waiting one holds.
// OpenMP 5.1, 2.12.6 task scheduling, task scheduling constraint 2.
#include <omp.h>

#include "check.h"

int main(void) {
  omp_lock_t lock;
  long guarded = 0;
  long wanted = 0;
  omp_init_lock(&lock);
  for (int round = 0; round < 30; round++) {
#pragma omp parallel shared(lock, guarded) reduction(+ : wanted)
    {
      if (omp_get_thread_num() % 2 == 0) {
        for (int i = 0; i < 20; i++) {
          int child = 0;
          omp_set_lock(&lock);
#pragma omp task shared(child)
          {
#pragma omp task
            {
            }
            child = 1;
          }
#pragma omp taskwait
          guarded += child;
          omp_unset_lock(&lock);
          wanted++;
        }
      } else {
        for (int i = 0; i < 100; i++) {
#pragma omp task shared(lock, guarded)
          {
            omp_set_lock(&lock);
            guarded++;
            omp_unset_lock(&lock);
          }
          wanted++;
        }
      }
    }
  }
  CHECK(guarded == wanted);
  omp_destroy_lock(&lock);
  return 0;
}
