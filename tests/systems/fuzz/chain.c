// Planted: one task in the middle of a chain changes the value without being part of the chain.
#include <stdio.h>

int main(void) {
  long value = 1;
#pragma omp parallel
#pragma omp single
  {
    for (int i = 0; i < 20; ++i) {
#pragma omp task shared(value) firstprivate(i) depend(inout : value)  // NEXT
      value = value * 3 + i;
    }
#pragma omp task shared(value)  // PAIR
    value = value * 5 + 1;
    for (int i = 0; i < 20; ++i) {
#pragma omp task shared(value) firstprivate(i) depend(inout : value)  // NEXT
      value = value * 7 + i;
    }
  }
  printf("%ld\n", value);
  return 0;
}
