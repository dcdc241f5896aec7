// masked with filter (5.1) (OpenMP 6.0, section 12.5).
#include <omp.h>

int main(void) {
  int who = -1;
#pragma omp parallel num_threads(3)
#pragma omp masked filter(2)
  who = omp_get_thread_num();
  return omp_get_max_threads() > 2 && who != 2 && who != -1;
}
