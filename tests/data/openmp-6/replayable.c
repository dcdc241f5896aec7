// replayable clause of task (6.0).
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
