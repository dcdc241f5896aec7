// omp_is_free_agent() (6.0).
#include <omp.h>

int main(void) {
  return omp_is_free_agent() != 0;
}
