// Uses up a stack: of a region's thread, of a task that the thread executes, of a task on a stack of its own,
// or of the main thread.
#include <omp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "right.h"

static volatile int depth;

__attribute__((noinline)) static int use_up(int n) {
  volatile char frame[1000];
  frame[n % 1000] = (char)n;
  depth = n;
  return n < 0 ? frame[0] : use_up(n + 1) + frame[n % 1000];
}

int main(int argc, char** argv) {
  const char* where = argc > 1 ? argv[1] : "thread";
  if (strcmp(where, "main") == 0) {
#pragma omp parallel num_threads(2)
    depth = 1;
    return use_up(0);
  }
#pragma omp parallel num_threads(2)
  {
    if (strcmp(where, "sent") == 0 && omp_get_thread_num() == 1) kill(getpid(), SIGSEGV);
    if (strcmp(where, "thread") == 0 && omp_get_thread_num() == 1) use_up(0);
    if (strcmp(where, "task") == 0 && omp_get_thread_num() == 1) {
#pragma omp task if (0)
      use_up(0);
#pragma omp taskwait
    }
    if (strcmp(where, "own-stack") == 0 && omp_get_thread_num() == 0) {
      for (int i = 0; i < 4; ++i) {
#pragma omp task untied
        {
#pragma omp taskyield
          use_up(0);
        }
      }
#pragma omp taskwait
    }
  }
  return 0;
}
