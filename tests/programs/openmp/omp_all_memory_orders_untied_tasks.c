// A task that names thousands of addresses right after an untied task with omp_all_memory follows it, and
// each body runs once, although the parts of the untied task run while those addresses are entered.
// OpenMP 5.1, 2.19.11 depend clause, omp_all_memory; 2.12.1 task construct, untied clause.
#include <omp.h>

#include "check.h"

int main(void) {
  enum { kRounds = 1500, kAddresses = 4000 };
  static int x[kAddresses];
  int runs = 0;
#pragma omp parallel shared(runs)
#pragma omp single
  for (int round = 0; round < kRounds; round++) {
#pragma omp task untied depend(inout : omp_all_memory) shared(runs)
    {
#pragma omp taskyield
#pragma omp atomic
      runs++;
    }
#pragma omp task depend(iterator(int k = 0 : kAddresses), in : x[k]) shared(runs)
    {
      int seen;
#pragma omp atomic read
      seen = runs;
      CHECK(seen == round + 1);
    }
#pragma omp taskwait
    CHECK(runs == round + 1);
  }
  return 0;
}
