// interop construct (5.1).
#include <omp.h>

int main(void) {
  omp_interop_t object = omp_interop_none;
#pragma omp interop init(targetsync : object)
#pragma omp interop destroy(object)
  return object != omp_interop_none;
}
