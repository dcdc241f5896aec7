// A taskloop runs each iteration once whatever its type, step and direction, collapsed or not, near the
// limits too. OpenMP 5.1, 2.12.2 taskloop construct; 2.11.1 canonical loop nest form.
#include <limits.h>
#include <omp.h>

#include "check.h"

#ifdef __clang__  // Clang 19 warns of the unsigned bounds that it makes for every taskloop itself.
#  pragma clang diagnostic ignored "-Wsign-compare"
#endif

static int runs[200];

static void check(int n) {
  for (int i = 0; i < 200; i++) {
    CHECK(runs[i] == (i < n));
    runs[i] = 0;
  }
}

int main(void) {
#pragma omp parallel
#pragma omp single
  for (int n = 0; n <= 190; n += n < 8 ? 1 : 26) {
#pragma omp taskloop
    for (int i = n - 1; i >= 0; i--) runs[i]++;
    check(n);
    // Not with a grainsize: where n is 0 Clang 19 tells the runtime of 2^32 iterations.
#pragma omp taskloop num_tasks(3)
    for (int i = 4 * n; i > 0; i -= 4) runs[i / 4 - 1]++;
    check(n);
#pragma omp taskloop num_tasks(5)
    for (long long i = LLONG_MAX - n; i < LLONG_MAX; i++) runs[LLONG_MAX - 1 - i]++;
    check(n);
#pragma omp taskloop num_tasks(6)
    for (long long i = LLONG_MIN + n; i > LLONG_MIN; i--) runs[i - LLONG_MIN - 1]++;
    check(n);
#pragma omp taskloop grainsize(7)
    for (unsigned long long i = ULLONG_MAX - (unsigned)n; i < ULLONG_MAX; i++) runs[ULLONG_MAX - 1 - i]++;
    check(n);
#pragma omp taskloop
    for (unsigned long long i = (unsigned long long)n; i > 0; i--) runs[i - 1]++;
    check(n);
#pragma omp taskloop
    for (unsigned i = 0; i < (unsigned)n; i++) runs[i]++;
    check(n);
#pragma omp taskloop collapse(2) grainsize(4)
    for (int i = 0; i < n / 10; i++)
      for (int j = 9; j >= 0; j--) runs[i * 10 + j]++;
    check(n / 10 * 10);
#pragma omp taskloop collapse(3) num_tasks(4)
    for (long i = n / 10; i > 0; i--)
      for (unsigned long long j = 0; j < 5; j++)
        for (short k = 0; k < 4; k += 2) runs[(i - 1) * 10 + (long)j * 2 + k / 2]++;
    check(n / 10 * 10);
  }
  return 0;
}
