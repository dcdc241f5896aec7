// omp_is_free_agent() (OpenMP 6.0, section 25.3).
#include <omp.h>

int main(void) {
  return omp_is_free_agent() != 0;
}
