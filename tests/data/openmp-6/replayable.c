// replayable clause of task (OpenMP 6.0, section 14.6).
#include <omp.h>

static int done;
int main(void) {
#pragma omp parallel
#pragma omp single
  {
#pragma omp task replayable(0)
    done++;
  }
  return done != 1;
}
