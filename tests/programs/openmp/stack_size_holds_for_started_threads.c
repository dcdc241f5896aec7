// OMP_STACKSIZE gives each thread of the runtime the stack it asks for. OpenMP 5.2, 21.2.2.
#include <omp.h>

#include "rerun.h"

enum { DEPTH = 40 * 1024 * 1024 };

__attribute__((noinline)) static int touch(void) {
  volatile char room[DEPTH];
  int sum = 0;
  for (int i = 0; i < DEPTH; i += 4096) room[i] = 1;
  for (int i = 0; i < DEPTH; i += 4096) sum += room[i];
  return sum;
}

int main(int argc, char** argv) {
  (void)argv;
  if (argc == 1) return rerun("OMP_STACKSIZE=64M", "inner")->status;
  int failures = 0;
#pragma omp parallel num_threads(3) reduction(+ : failures)
  if (omp_get_thread_num() != 0) failures += touch() != DEPTH / 4096;
  return failures;
}
