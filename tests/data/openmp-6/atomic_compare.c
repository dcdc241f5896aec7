// atomic compare capture (5.1).
#include <omp.h>

int main(void) {
  int largest = 0;
#pragma omp parallel for num_threads(4)
  for (int i = 0; i < 100; i++) {
#pragma omp atomic compare
    if (largest < i) {
      largest = i;
    }
  }
  return largest != 99;
}
