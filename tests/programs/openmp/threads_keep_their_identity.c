// The encountering thread is thread 0, and a thread keeps its number through every construct of its region.
// OpenMP 5.1, 2.6 parallel construct.
#include <omp.h>
#include <pthread.h>

#include "check.h"

int main(void) {
  pthread_t encountering = pthread_self();
  for (int round = 0; round < 50; round++) {
    pthread_t threads[64];
#pragma omp parallel shared(threads)
    {
      int self = omp_get_thread_num();
      int team = omp_get_num_threads();
      CHECK(team <= 64);
      threads[self] = pthread_self();
      CHECK(!!pthread_equal(pthread_self(), encountering) == (self == 0));
#pragma omp barrier
      for (int other = 0; other < team; other++) {
        CHECK(!!pthread_equal(threads[other], threads[self]) == (other == self));
      }
#pragma omp task
      {
        CHECK(pthread_equal(threads[omp_get_thread_num()], pthread_self()));
        CHECK(omp_get_num_threads() == team);
      }
#pragma omp for schedule(dynamic)
      for (int i = 0; i < 16; i++) CHECK(omp_get_thread_num() == self);
      CHECK(omp_get_thread_num() == self && pthread_equal(threads[self], pthread_self()));
    }
  }
  return 0;
}
