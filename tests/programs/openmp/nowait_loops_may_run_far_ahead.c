// A thread may go through many nowait loops before its team follows: each loop still runs each iteration
// once. OpenMP 5.1, 2.11.4 worksharing-loop construct, nowait clause.
#include <omp.h>

#include "check.h"

enum { kLoops = 60, kMost = 40 };
static int runs[4][kLoops][kMost];

int main(void) {
  for (int round = 1; round <= 10; round++) {
#pragma omp parallel
    {
      for (int loop = 0; loop < kLoops; loop++) {
        int n = (loop * 7 + round) % kMost;
#pragma omp for schedule(dynamic) nowait
        for (int i = 0; i < n; i++) runs[0][loop][i]++;
#pragma omp for schedule(guided, 2) nowait
        for (long long i = n; i > 0; i--) runs[1][loop][i - 1]++;
#pragma omp for schedule(static, 2) nowait
        for (int i = 0; i < n; i++) runs[2][loop][i]++;
#pragma omp for schedule(dynamic, 3) nowait
        for (unsigned long long i = 0; i < (unsigned long long)n; i++) runs[3][loop][i]++;
#pragma omp sections nowait
        {
#pragma omp section
          runs[0][loop][n]++;
#pragma omp section
          runs[1][loop][n]++;
        }
      }
#pragma omp barrier
#pragma omp for schedule(dynamic)
      for (int loop = 0; loop < kLoops; loop++) {
        int n = (loop * 7 + round) % kMost;
        for (int i = 0; i < kMost; i++) {
          CHECK(runs[0][loop][i] == (i <= n) && runs[1][loop][i] == (i <= n));
          CHECK(runs[2][loop][i] == (i < n) && runs[3][loop][i] == (i < n));
          for (int k = 0; k < 4; k++) runs[k][loop][i] = 0;
        }
      }
    }
  }
  return 0;
}
