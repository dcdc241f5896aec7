// CHECK names what did not hold and ends the program: it may be called from any thread of any region.
#ifndef HEDDLE_TESTS_RUNTIME_PROGRAMS_CHECK_H_
#define HEDDLE_TESTS_RUNTIME_PROGRAMS_CHECK_H_

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

#endif
