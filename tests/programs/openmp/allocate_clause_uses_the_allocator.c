// Private variables with an allocate clause live in its allocator's memory. OpenMP 5.2, 6.6.
#include <omp.h>
#include <stdint.h>

#include "check.h"

int main(void) {
  int values[32] = {0}, sum = 0;
  for (int i = 0; i < 32; i++) values[i] = i;
  for (int round = 0; round < 20; round++) {
#pragma omp parallel num_threads(4) firstprivate(values) allocate(omp_large_cap_mem_alloc : values) \
    reduction(+ : sum)
    {
      for (int i = 0; i < 32; i++) CHECK(values[i] == i);
      values[0] = omp_get_thread_num() + 100;
#pragma omp barrier
      CHECK(values[0] == omp_get_thread_num() + 100);
      sum++;
#pragma omp task firstprivate(values) allocate(values)
      CHECK(values[31] == 31 && values[0] >= 100);
    }
  }
  CHECK(values[0] == 0 && sum > 0);
  return 0;
}
