// allocate directive of a local variable (5.0).
#include <omp.h>

int main(void) {
  int cells[100];
#pragma omp allocate(cells) align(64)
  for (int i = 0; i < 100; i++) cells[i] = i;
  return cells[99] != 99 || ((unsigned long)cells & 63) != 0;
}
