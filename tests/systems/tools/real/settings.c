// Says what the environment has come to.
#include <omp.h>
#include <stdio.h>

int main(void) {
  int inner = 0;
#pragma omp parallel num_threads(2) reduction(+ : inner)
  {
#pragma omp parallel num_threads(2) reduction(+ : inner)
    inner += 1;
  }
  printf("dynamic %d, inner threads %d, places %d\n", omp_get_dynamic(), inner, omp_get_num_places());
  return 0;
}
