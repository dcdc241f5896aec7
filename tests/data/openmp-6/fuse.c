// loop transformations: fuse, split, stripe (6.0).
#include <omp.h>

int main(void) {
  int sum = 0;
#pragma omp stripe sizes(2)
  for (int i = 0; i < 4; i++) sum += i;
#pragma omp fuse
  {
    for (int i = 0; i < 4; i++) sum += i;
    for (int j = 0; j < 4; j++) sum += j;
  }
  return sum != 18;
}
