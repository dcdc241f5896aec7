// Stands for the OpenMP runtime that a package brings along under a name of its own: what the plugin calls,
// each ending the program, since libheddle is to be called in its place.
#include <stdio.h>
#include <stdlib.h>

#define VENDORED(name)                         \
  void name(void);                             \
  void name(void) {                            \
    puts("the vendored " #name " was called"); \
    _Exit(1);                                  \
  }

VENDORED(GOMP_parallel)
VENDORED(GOMP_loop_nonmonotonic_dynamic_start)
VENDORED(GOMP_loop_nonmonotonic_dynamic_next)
VENDORED(GOMP_loop_end)
VENDORED(GOMP_loop_end_nowait)
VENDORED(GOMP_single_start)
VENDORED(GOMP_task)
VENDORED(GOMP_barrier)
