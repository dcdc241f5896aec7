// Who may run where: with a helper that uses OpenMP first, pinned by its owner or not, and in children of
// fork().
#define _GNU_SOURCE
#include <omp.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "right.h"

static int processors;

static int count_of_this_thread(void) {
  cpu_set_t set;
  sched_getaffinity(0, sizeof set, &set);
  return CPU_COUNT(&set);
}

typedef struct {
  int threads, on_one, processors;
} region_t;

static region_t region(void) {
  region_t result = {0};
  cpu_set_t all;
  CPU_ZERO(&all);
#pragma omp parallel
  {
    cpu_set_t set;
    sched_getaffinity(0, sizeof set, &set);
#pragma omp critical
    {
      CPU_OR(&all, &all, &set);
      ++result.threads;
      result.on_one += CPU_COUNT(&set) == 1;
    }
  }
  result.processors = CPU_COUNT(&all);
  return result;
}

static void* help(void* is_pinned) {
  if (is_pinned != NULL) {
    cpu_set_t own, one;
    sched_getaffinity(0, sizeof own, &own);
    CPU_ZERO(&one);
    for (int i = CPU_SETSIZE - 1; i >= 0 && CPU_COUNT(&one) == 0; --i)
      if (CPU_ISSET(i, &own)) CPU_SET(i, &one);
    sched_setaffinity(0, sizeof one, &one);
  }
  region();
  if (is_pinned != NULL) RIGHT(count_of_this_thread() == 1, "the helper's owner has bound it, and it is not");
  return NULL;
}

int main(int argc, char** argv) {
  const char* const how = argc > 1 ? argv[1] : "";
  const int is_bound = getenv("OMP_PROC_BIND") != NULL;
  processors = count_of_this_thread();
  if (strcmp(how, "helper") == 0 || strcmp(how, "pinned-helper") == 0) {
    pthread_t helper;
    pthread_create(&helper, NULL, help, how[0] == 'p' ? argv : NULL);
    pthread_join(helper, NULL);
  }
  const region_t mine = region();
  RIGHT(omp_get_num_procs() == processors, "omp_get_num_procs() is %d", omp_get_num_procs());
  RIGHT(mine.threads == processors && mine.processors == processors,
        "main's region has %d threads on %d processors", mine.threads, mine.processors);
  RIGHT(mine.on_one == (is_bound ? mine.threads : 0), "%d of %d threads are bound", mine.on_one,
        mine.threads);
  fflush(stdout);
  if (strcmp(how, "child") == 0) {
    const pid_t child = fork();
    if (child == 0) {
      RIGHT(count_of_this_thread() == processors, "the child keeps its parent's place");
      const region_t its = region();
      RIGHT(its.threads == processors && its.processors == processors,
            "the child's region has %d threads on %d", its.threads, its.processors);
      if (wrongs != 0) fflush(stdout);
      _exit(wrongs);
    }
    int status = 0;
    waitpid(child, &status, 0);
    RIGHT(status == 0, "the child is wrong");
  }
  return end();
}
