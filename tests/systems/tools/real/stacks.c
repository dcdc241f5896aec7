// A region's thread, and a task that it executes, have so many megabytes of stack.
#include <alloca.h>
#include <omp.h>
#include <stdlib.h>

#include "right.h"

__attribute__((noinline)) static int touch(size_t bytes) {
  volatile char* const memory = alloca(bytes);
  for (size_t i = 0; i < bytes; i += 4096) memory[bytes - 1 - i] = 1;
  return memory[bytes - 1];
}

int main(int argc, char** argv) {
  const size_t bytes = (argc > 1 ? (size_t)atoi(argv[1]) : 1) << 20;
  int sum = 0;
#pragma omp parallel num_threads(2) shared(sum)
  if (omp_get_thread_num() == 1) {
    sum += touch(bytes);
#pragma omp task shared(sum) if (0)
    {
      const int one = touch(bytes);
#pragma omp atomic
      sum += one;
    }
#pragma omp taskwait
  }
  RIGHT(sum == 2, "%d", sum);
  return end();
}
