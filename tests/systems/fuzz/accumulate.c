// Planted: what tasks append to one list would have to be kept apart and in order, and neither is asked for.
#include <stdio.h>

enum { kItems = 30 };

static int list[kItems], used;

static void append(int value) {
  list[used++] = value;
}

int main(void) {
#pragma omp parallel
#pragma omp single
  {
    for (int i = 0; i < kItems; ++i) {
#pragma omp task firstprivate(i)  // PAIR PAIR
      {
        if (i % 3 == 0) append(i);
      }
    }
  }
  for (int i = 0; i < used; ++i) printf("%d ", list[i]);
  printf("\n");
  return 0;
}
