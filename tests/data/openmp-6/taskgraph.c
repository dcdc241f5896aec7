// taskgraph construct (OpenMP 6.0, section 14.3).
#include <omp.h>

static int done;
int main(void) {
  for (int round = 0; round < 3; round++) {
#pragma omp parallel
#pragma omp single
#pragma omp taskgraph
    {
#pragma omp task
#pragma omp atomic
      done++;
    }
  }
  return done != 3;
}
