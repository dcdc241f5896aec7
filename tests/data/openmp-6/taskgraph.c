// taskgraph construct (6.0).
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
