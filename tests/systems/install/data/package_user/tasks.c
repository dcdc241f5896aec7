// Prints which runtime executes its tasks, and how many there were.
#include <dlfcn.h>
#include <stdio.h>
#ifndef WITHOUT_HEDDLE
#  include <heddle.h>
#endif

int main(void) {
  int sum = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
  for (int n = 0; n < 1000; ++n) {
#pragma omp task shared(sum)
#pragma omp atomic
    ++sum;
  }
  printf("%s: %d\n", dlsym(RTLD_DEFAULT, "heddle_set_throttle") != NULL ? "libheddle" : "another", sum);
  return 0;
}
