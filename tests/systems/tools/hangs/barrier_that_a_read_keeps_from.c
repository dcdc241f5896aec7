// One thread of three does not reach the end of the region: it reads what nobody writes. Its task is
// explicit.
//
// says: has not reached the barrier
// attach says: has not reached the barrier
#include <omp.h>
#include <unistd.h>

int main(void) {
  int ends[2];
  char byte = 0;
  if (pipe(ends) != 0) return 1;
#pragma omp parallel num_threads(3)
  if (omp_get_thread_num() == 2) {
#pragma omp task if (0) shared(byte)
    if (read(ends[0], &byte, 1) == 1)  // culprit
      byte++;
  }
  return byte;
}
