// Tasks of a mutexinoutset exclude each other, come after the writer before the set and before the reader
// after it. OpenMP 5.1, 2.19.11 depend clause, mutexinoutset.
#include <omp.h>

#include "check.h"

int main(void) {
  enum { kRounds = 30, kMembers = 20 };
  long sum = 0;
  long other = 0;
  int inside = 0;
#pragma omp parallel shared(sum, other, inside)
#pragma omp single
  for (int round = 0; round < kRounds; round++) {
#pragma omp task depend(out : sum) shared(sum)
    sum = 0;
#pragma omp task depend(inout : other) shared(other)
    other = 0;
    for (int i = 0; i < kMembers; i++) {
#pragma omp task depend(mutexinoutset : sum) shared(sum, inside)
      {
        int now;
#pragma omp atomic capture
        now = ++inside;
        CHECK(now == 1);
        sum += i;
#pragma omp atomic
        inside--;
      }
#pragma omp task depend(mutexinoutset : sum, other) shared(sum, other)
      {
        sum += 100;
        other += i;
      }
#pragma omp task depend(mutexinoutset : other, sum) shared(sum, other)
      {
        sum += 100;
        other += 1;
      }
#pragma omp task depend(mutexinoutset : other) shared(other)
      other += 1;
    }
#pragma omp task depend(in : sum, other) shared(sum, other)
    {
      CHECK(sum == kMembers * (kMembers - 1) / 2 + 200 * kMembers);
      CHECK(other == kMembers * (kMembers - 1) / 2 + 2 * kMembers);
    }
  }
  return 0;
}
