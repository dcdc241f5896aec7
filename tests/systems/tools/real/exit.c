// exit() in a task of a region, whose other threads go on meanwhile: handlers run, the process ends with that
// status.
#include <omp.h>
#include <stdlib.h>
#include <unistd.h>

#include "right.h"

static void say(void) {
  end();
}

int main(void) {
  atexit(say);
#pragma omp parallel num_threads(3)
  {
#pragma omp single nowait
    for (int i = 0; i < 100; ++i) {
#pragma omp task firstprivate(i)
      {
        usleep(100);
        if (i == 50) exit(0);
      }
    }
    for (volatile int i = 0; i < 100000; ++i) continue;
  }
  return 1;  // never reached
}
