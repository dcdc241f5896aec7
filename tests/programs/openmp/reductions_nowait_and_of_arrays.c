// Reductions over array sections, of several loops with nowait and of the parallel region itself are all
// complete after the next barrier. OpenMP 5.1, 2.21.5 reduction clauses.
#include <omp.h>

#include "check.h"

static void reduce_into(long* histogram, int bins, int n) {
#pragma omp parallel for schedule(dynamic, 5) reduction(+ : histogram[0 : bins])
  for (int i = 0; i < n; i++) histogram[i % bins] += i;
}

int main(void) {
  for (int round = 0; round < 20; round++) {
    long histogram[37] = {0};
    reduce_into(histogram, 37, 1000);
    for (int bin = 0; bin < 37; bin++) {
      long wanted = 0;
      for (int i = bin; i < 1000; i += 37) wanted += i;
      CHECK(histogram[bin] == wanted);
    }
    long sums[20] = {0};
    int low[4] = {9, 9, 9, 9};
    int members = 0;
    int team = 0;
#pragma omp parallel reduction(+ : members) shared(sums, low, team)
    {
      members++;
      for (int loop = 0; loop < 20; loop++) {
        long* sum = &sums[loop];
        long part = 0;
#pragma omp for schedule(dynamic) nowait
        for (int i = 0; i <= loop; i++) part += i;
#pragma omp atomic
        *sum += part;
      }
#pragma omp for nowait reduction(min : low[1 : 2])
      for (int i = 0; i < 8; i++) {
        if (low[1] > i) low[1] = i;
        if (low[2] > -i) low[2] = -i;
      }
#pragma omp barrier
      for (int loop = 0; loop < 20; loop++) CHECK(sums[loop] == loop * (loop + 1) / 2);
      CHECK(low[0] == 9 && low[1] == 0 && low[2] == -7 && low[3] == 9);
#pragma omp master
      team = omp_get_num_threads();
    }
    CHECK(members == team);
  }
  return 0;
}
