// A process that may run on one processor only has one, and regions have one thread where nothing else is
// said.
#ifndef _GNU_SOURCE
#  define _GNU_SOURCE
#endif
#include <omp.h>
#include <sched.h>
#include <stdlib.h>
#include <unistd.h>

#include "check.h"

// The runtime may look at the mask before main(), so the program starts again with a smaller one.
static void start_again_on_one_processor(char** argv) {
  cpu_set_t mine, one;
  CHECK(sched_getaffinity(0, sizeof mine, &mine) == 0);
  CPU_ZERO(&one);
  for (int cpu = 0; cpu < CPU_SETSIZE && CPU_COUNT(&one) == 0; ++cpu)
    if (CPU_ISSET(cpu, &mine)) CPU_SET(cpu, &one);
  CHECK(sched_setaffinity(0, sizeof one, &one) == 0);
  unsetenv("OMP_NUM_THREADS");
  char* arguments[] = {argv[0], "again", NULL};
  execv("/proc/self/exe", arguments);
  CHECK(!"execv");
}

int main(int argc, char** argv) {
  if (argc == 1) start_again_on_one_processor(argv);
  CHECK(omp_get_num_procs() == 1);
  CHECK(omp_get_max_threads() == 1);
#pragma omp parallel
  CHECK(omp_get_num_threads() == 1);
#pragma omp parallel num_threads(3)
  CHECK(omp_get_num_threads() == 3);
  return 0;
}
