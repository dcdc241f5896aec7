// Adds up in parallel, and says by which library.
#ifndef _GNU_SOURCE
#  define _GNU_SOURCE
#endif
#include <dlfcn.h>
#include <omp.h>
#include <stdio.h>
#include <string.h>

int main(void) {
  int sum = 0;
#pragma omp parallel for reduction(+ : sum) num_threads(3)
  for (int i = 0; i < 100; ++i) sum += i;
  Dl_info info;
  if (dladdr((void*)omp_get_thread_num, &info) == 0) return 1;
  printf("%d by %s\n", sum, info.dli_fname);
  return sum == 4950 && strstr(info.dli_fname, "libheddle") != NULL ? 0 : 1;
}
