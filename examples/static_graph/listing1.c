// Listing 1 of Yu, Royuela and Quiñones (arXiv 2212.04771): rows of tasks that do next to nothing, each after
// the one before in its row. How many there are is known when it is compiled: 'heddle cc -- clang-19 -O2 …'
// makes their graph.
//
//     listing1 [n [times]]     prints a checksum; with `times` also microseconds of the first of n, and of
//     the others
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

#include "warm.h"

enum { kTasks = 4000, kRows = 4 };

static struct {
  unsigned value;
  char apart[60];  // a cache line each
} row[kRows];

static void run(void) {
#pragma omp taskgraph
  for (int i = 0; i < kTasks; ++i)
#pragma omp task depend(inout : row[i % kRows])
    row[i % kRows].value = row[i % kRows].value * 2654435761u + (unsigned)i;
}

int main(int argc, char** argv) {
  const int n = argc > 1 ? atoi(argv[1]) : 5;
  if (n < 1) {
    fprintf(stderr, "usage: listing1 [n [times]], n 1 or more\n");
    return 2;
  }
  Times times = {0, 0};
#pragma omp parallel
  {
    warm_up();
#pragma omp single
    {
      for (int t = 0; t < n; ++t) {
        const double began = omp_get_wtime();
        run();
        count(&times, t, n, omp_get_wtime() - began);
      }
    }
  }
  printf("listing1: %u %u %u %u\n", row[0].value, row[1].value, row[2].value, row[3].value);
  if (argc > 2) print_times(times);
  return 0;
}
