// nowait with an argument (6.0).
#include <omp.h>

int main(void) {
  int sum = 0;
#pragma omp parallel num_threads(3) reduction(+ : sum)
  {
#pragma omp for nowait(0)
    for (int i = 0; i < 9; i++) sum += i;
  }
  return sum != 36;
}
