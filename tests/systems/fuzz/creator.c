// Planted: the creator reads what its task writes, without a taskwait.
#include <stdio.h>

int main(void) {
  int value = 0, read = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task shared(value)  // PAIR
    value = 1;
    int other = 0;
#pragma omp task shared(other)  // BEHIND
    other = 1;
    read = value;
#pragma omp taskwait
  }
  printf("%d\n", read);
  return 0;
}
