// Threads of the program's own may each run parallel regions at the same time: each has its own team.
// OpenMP 5.1, 1.3 execution model, contention groups.
#include <omp.h>
#include <pthread.h>

#include "check.h"

static void* run(void* argument) {
  int self = *(int*)argument;
  omp_set_dynamic(0);
  CHECK(omp_get_level() == 0 && omp_get_thread_num() == 0 && omp_get_num_threads() == 1);
  for (int round = 0; round < 40; round++) {
    int size = 1 + (self + round) % 4;
    int sum = 0;
    int chain = 0;
    int tasks = 0;
#pragma omp parallel num_threads(size) shared(chain, tasks) reduction(+ : sum)
    {
      CHECK(omp_get_num_threads() == size && omp_get_level() == 1);
#pragma omp for schedule(dynamic) nowait
      for (int i = 0; i < 50; i++) sum += i;
#pragma omp single
      for (int i = 0; i < 20; i++) {
#pragma omp task depend(inout : chain) shared(chain)
        {
          CHECK(chain == i);
          chain++;
        }
#pragma omp task shared(tasks)
        {
#pragma omp atomic
          tasks++;
        }
      }
    }
    CHECK(sum == 1225 && chain == 20 && tasks == 20);
  }
  return NULL;
}

int main(void) {
  for (int round = 0; round < 3; round++) {
    pthread_t threads[4];
    int numbers[4] = {0, 1, 2, 3};
    for (int i = 1; i < 4; i++) CHECK(pthread_create(&threads[i], NULL, run, &numbers[i]) == 0);
    run(&numbers[0]);
    for (int i = 1; i < 4; i++) CHECK(pthread_join(threads[i], NULL) == 0);
  }
  return 0;
}
