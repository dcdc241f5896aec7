// A firstprivate variable of a target construct has the value of the moment the construct is met, even where
// the region runs later, and is aligned as its type says. OpenMP 5.2, 5.4.4 firstprivate and 13.8 target.
#include <stdint.h>

#include "check.h"

typedef struct {
  int values[10];
} __attribute__((aligned(128))) wide;

enum { ROUNDS = 50 };

int main(void) {
  wide big = {{0}};
  int seen[ROUNDS] = {0}, misplaced = 0, gate = 0;
#pragma omp parallel num_threads(4)
#pragma omp single
  for (int i = 0; i < ROUNDS; i++) {
    double fraction = i + 0.5;
    long double huge = i;
    big.values[9] = i;
#pragma omp task depend(out : gate)
    gate++;
#pragma omp target nowait depend(inout : gate) firstprivate(big, fraction, huge, i) \
    map(tofrom : seen, misplaced)
    {
      misplaced += (uintptr_t)&big % 128 != 0 || (uintptr_t)&huge % _Alignof(long double) != 0;
      seen[i] = big.values[9] + (int)fraction + (int)huge;
      big.values[9] = -1;
    }
    big.values[9] = 1000;
    fraction = 1000;
    huge = 1000;
  }
  CHECK(misplaced == 0);
  for (int i = 0; i < ROUNDS; i++) CHECK(seen[i] == 3 * i);

  big.values[0] = 5;
#pragma omp target firstprivate(big) map(tofrom : misplaced)
  {
    misplaced = big.values[0];
    big.values[0] = 6;
  }
  CHECK(misplaced == 5 && big.values[0] == 5);
  return 0;
}
