// One thread does not reach a barrier: it is in a system call that a question would end.
//
// says: thread 1 has not reached the barrier: it is in a system call
// says: cannot be seen without 'heddle attach'
// attach says: thread 1 has not reached the barrier: it is being executed at
#include <omp.h>
#include <unistd.h>

int main(void) {
#pragma omp parallel num_threads(2)
  {
    if (omp_get_thread_num() == 1) pause();  // culprit, seen by attach
#pragma omp barrier
  }
  return 0;
}
