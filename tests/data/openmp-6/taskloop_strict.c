// taskloop grainsize(strict: …) (5.1).
#include <omp.h>

int main(void) {
  int sum = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
#pragma omp taskloop grainsize(strict : 3) reduction(+ : sum)
  for (int i = 0; i < 10; i++) sum += i;
  return sum != 45;
}
