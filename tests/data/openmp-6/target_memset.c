// omp_target_memset() (6.0).
#include <omp.h>

int main(void) {
  char text[8] = "heddle";
  const int host = omp_get_initial_device();
  return omp_target_memset(text, 'x', 3, host) != text || text[2] != 'x' || text[3] != 'd';
}
