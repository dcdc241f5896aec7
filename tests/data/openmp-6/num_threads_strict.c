// num_threads(strict: …), severity, message (6.0).
#include <omp.h>

int main(void) {
  int threads = 0;
#pragma omp parallel num_threads(strict : 2) severity(warning) message("two were wanted")
#pragma omp single
  threads = omp_get_num_threads();
  return threads != 2;
}
