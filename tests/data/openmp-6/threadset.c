// threadset clause of task (6.0).
#include <omp.h>

static int done;
int main(void) {
#pragma omp parallel num_threads(2)
#pragma omp single
  for (int i = 0; i < 20; i++) {
#pragma omp task threadset(omp_pool)
#pragma omp atomic
    done++;
  }
  return done != 20;
}
