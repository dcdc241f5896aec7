// How much memory the process has had at most.
#ifndef HEDDLE_TESTS_RUNTIME_SUPPORT_PEAK_MEMORY_H_
#define HEDDLE_TESTS_RUNTIME_SUPPORT_PEAK_MEMORY_H_

#include <sys/resource.h>

#include "programs/openmp/check.h"
#include "support/sanitized.h"

static inline long peak_memory_kib(void) {
  struct rusage used;
  CHECK(getrusage(RUSAGE_SELF, &used) == 0);
  return used.ru_maxrss;
}

// Fails where it was so much, or more. Not under sanitizers, which have memory of their own.
static inline void check_peak_memory_below_kib(long kib) {
#ifndef IS_SANITIZED
  CHECK(peak_memory_kib() < kib);
#else
  (void)kib;
#endif
}

#endif
