// lastprivate leaves the value of the sequentially last iteration, firstprivate starts from the original,
// linear is the original plus step times the iteration number.
// OpenMP 5.1, 2.21.4 data-sharing attribute clauses.
#include <omp.h>

#include "check.h"

int main(void) {
  for (int n = 1; n < 200; n += 23) {
    int last = -1;
    int both = 5;
    int first = 40;
    int row[3] = {1, 2, 3};
    long line = 10;
    int i;
#pragma omp parallel
    {
#pragma omp for schedule(dynamic, 3) lastprivate(last)
      for (int k = 0; k < n; k++) last = k * 3;
      CHECK(last == (n - 1) * 3);
#pragma omp barrier
#pragma omp for schedule(guided) firstprivate(first, row) lastprivate(both)
      for (int k = n; k > 0; k--) {
        CHECK(first == 40 && row[0] == 1 && row[2] == 3);
        both = k + first;
      }
      CHECK(both == 41);
    }
#pragma omp parallel for schedule(static, 2) firstprivate(both) lastprivate(both, i)
    for (i = 0; i < n; i++) {
      if (i == n - 1) both = i + 1000;
    }
    CHECK(both == n + 999 && i == n);
#pragma omp parallel for linear(line : 4) schedule(static, 3)
    for (int k = 0; k < n; k++) {
      CHECK(line == 10 + 4L * k);
      line += 4;
    }
    CHECK(line == 10 + 4L * n);
  }
  return 0;
}
