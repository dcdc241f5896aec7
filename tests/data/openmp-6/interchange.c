// loop transformations: interchange, reverse (6.0).
#include <omp.h>

int main(void) {
  int sum = 0;
#pragma omp interchange
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 5; j++) sum += i * j;
#pragma omp reverse
  for (int i = 0; i < 4; i++) sum = sum * 2 + i;
  return sum != (((60 * 2 + 3) * 2 + 2) * 2 + 1) * 2;
}
