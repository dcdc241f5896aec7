// loop transformations: tile, unroll (5.1).
#include <omp.h>

int main(void) {
  int sum = 0;
#pragma omp tile sizes(2, 2)
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 5; j++) sum += i * j;
#pragma omp unroll partial(2)
  for (int i = 0; i < 4; i++) sum += i;
  return sum != 66;
}
