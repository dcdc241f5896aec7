// A tied task goes on after every task scheduling point on the thread it started on.
// OpenMP 5.1, 2.12.6 task scheduling; 2.12.1 task construct.
#include <omp.h>
#include <pthread.h>

#include "check.h"

static void work(int depth) {
  pthread_t thread = pthread_self();
  int number = omp_get_thread_num();
  int values[3] = {0};
#define SAME_THREAD CHECK(pthread_equal(thread, pthread_self()) && number == omp_get_thread_num())
  for (int i = 0; i < 3; i++) {
#pragma omp task shared(values)
    {
      values[i] = i + 1;
      if (depth > 0) work(depth - 1);
    }
    SAME_THREAD;
  }
#pragma omp taskyield
  SAME_THREAD;
#pragma omp taskwait
  SAME_THREAD;
  CHECK(values[0] == 1 && values[1] == 2 && values[2] == 3);
#pragma omp taskgroup
  {
#pragma omp task shared(values)
    values[0] = 9;
    SAME_THREAD;
  }
  SAME_THREAD;
#pragma omp task depend(out : values) shared(values)
  values[1] = 10;
#pragma omp taskwait depend(in : values)
  SAME_THREAD;
  CHECK(values[0] == 9 && values[1] == 10);
}

int main(void) {
#pragma omp parallel
  {
#pragma omp single nowait
    for (int i = 0; i < 10; i++) {
#pragma omp task
      work(3);
    }
    work(2);
  }
  return 0;
}
