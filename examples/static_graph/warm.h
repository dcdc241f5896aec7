// What the programs here measure: the first execution of a region beside the others.
#ifndef HEDDLE_EXAMPLES_WARM_H
#define HEDDLE_EXAMPLES_WARM_H

#include <omp.h>
#include <stdio.h>

// Seconds: of the first, and the mean of those after the second.
typedef struct Times {
  double first, others;
} Times;

static inline void count(Times* times, int number, int all, double took) {
  if (number == 0) times->first = took;
  if (number > 1) times->others += took / (all - 2);
}

static inline void print_times(Times times) {
  printf("first=%.1f others=%.1f\n", 1e6 * times.first, 1e6 * times.others);
}

// Has the team's threads there and awake: a new thread takes up to some milliseconds to begin. Every thread
// of the team calls it.
static inline void warm_up(void) {
#pragma omp barrier
#pragma omp single
  for (const double until = omp_get_wtime() + 2e-3; omp_get_wtime() < until;) {
    for (int i = 0; i < 64; ++i) {
#pragma omp task
      (void)omp_get_wtime();
    }
#pragma omp taskwait
  }
}

#endif
