// CHECK names what did not hold and ends the program: it may be called from any thread of any region.
#ifndef HEDDLE_TESTS_RUNTIME_PROGRAMS_CHECK_H_
#define HEDDLE_TESTS_RUNTIME_PROGRAMS_CHECK_H_

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define CHECK(condition)                                              \
  do {                                                                \
    if (!(condition)) {                                               \
      printf("failed: %s (%s:%d)\n", #condition, __FILE__, __LINE__); \
      fflush(stdout);                                                 \
      _Exit(1);                                                       \
    }                                                                 \
  } while (0)

// What the handle of a detach clause begins with. GCC 16 takes a constant for the event itself, which the
// construct sets only then (-O3; its own runtime gets the same null handle).
static inline uintptr_t no_event(void) {
  volatile uintptr_t none = 0;
  return none;
}

#endif
