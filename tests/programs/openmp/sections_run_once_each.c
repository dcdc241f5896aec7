// Each section is executed once, fewer or more of them than threads; lastprivate takes the lexically last
// one's value. OpenMP 5.1, 2.10.1 sections construct.
#include <omp.h>

#include "check.h"

int main(void) {
  for (int round = 0; round < 50; round++) {
    int runs[9] = {0};
    int last = 0;
    int sum = 0;
    int seed = 4;
#pragma omp parallel sections lastprivate(last) reduction(+ : sum)
    {
      {
        runs[0]++;
        sum += 1;
      }
#pragma omp section
      {
        runs[1]++;
        sum += 2;
      }
#pragma omp section
      runs[2]++;
#pragma omp section
      runs[3]++;
#pragma omp section
      runs[4]++;
#pragma omp section
      runs[5]++;
#pragma omp section
      {
        runs[6]++;
        last = 66;
      }
    }
    CHECK(last == 66 && sum == 3);
#pragma omp parallel
    {
#pragma omp sections nowait
      {
#pragma omp section
        runs[7]++;
      }
#pragma omp sections firstprivate(seed)
      {
#pragma omp section
        runs[8] += seed - 3;
#pragma omp section
        CHECK(seed == 4);
      }
      CHECK(runs[8] == 1);
    }
    for (int i = 0; i < 9; i++) CHECK(runs[i] == 1);
  }
  return 0;
}
