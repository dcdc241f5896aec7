// masked with filter (5.1).
#include <omp.h>

int main(void) {
  int who = -1;
#pragma omp parallel num_threads(3)
#pragma omp masked filter(2)
  who = omp_get_thread_num();
  return omp_get_max_threads() > 2 && who != 2 && who != -1;
}
