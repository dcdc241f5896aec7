// For bodies that must last for a while.
#ifndef HEDDLE_TESTS_RUNTIME_PROGRAMS_BUSY_H_
#define HEDDLE_TESTS_RUNTIME_PROGRAMS_BUSY_H_

#include <omp.h>

static inline void last_for_us(double us) {
  const double end = omp_get_wtime() + us * 1e-6;
  while (omp_get_wtime() < end) continue;
}

#endif
