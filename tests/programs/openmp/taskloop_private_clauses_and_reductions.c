// taskloop's firstprivate, lastprivate, reduction and in_reduction give what the sequential loop gives; with
// if(0) or final its tasks run on the encountering thread. OpenMP 5.1, 2.12.2 taskloop construct.
#include <omp.h>

#include "check.h"

#ifdef __clang__  // Clang 19 warns of the unsigned bounds that it makes for every taskloop itself.
#  pragma clang diagnostic ignored "-Wsign-compare"
#endif

int main(void) {
#pragma omp parallel
#pragma omp single
  for (int n = 1; n < 150; n += 13) {
    int last = -1;
    int first = 5;
    int row[2] = {3, 4};
    long sum = 11;
    int least = 1000;
    long bins[3] = {0, 0, 0};
    int i;
#pragma omp taskloop lastprivate(last, i) firstprivate(first, row) grainsize(4)
    for (i = 0; i < n; i++) {
      CHECK(first == 5 && row[0] == 3 && row[1] == 4);
      last = i * 2;
    }
    CHECK(last == (n - 1) * 2 && i == n);
#pragma omp taskloop reduction(+ : sum, bins) reduction(min : least) num_tasks(8)
    for (int k = 0; k < n; k++) {
      sum += k;
      bins[k % 3]++;
      if (-k < least) least = -k;
    }
    CHECK(sum == 11 + n * (n - 1) / 2 && least == 1 - n && bins[0] + bins[1] + bins[2] == n &&
          bins[0] == (n + 2) / 3);
    long total = 0;
#pragma omp taskgroup task_reduction(+ : total)
    {
#pragma omp taskloop in_reduction(+ : total)
      for (int k = 0; k < n; k++) {
#pragma omp task in_reduction(+ : total)
        total += k;
      }
#pragma omp task in_reduction(+ : total)
      total += 1000;
    }
    CHECK(total == 1000 + n * (n - 1) / 2);
    int thread = omp_get_thread_num();
#pragma omp taskloop if (0) firstprivate(thread) lastprivate(last)
    for (int k = 0; k < n; k++) {
      CHECK(omp_get_thread_num() == thread);
      last = k;
    }
    CHECK(last == n - 1);
#pragma omp taskloop final(1) grainsize(2)
    for (int k = 0; k < n; k++) CHECK(omp_in_final());
  }
  return 0;
}
