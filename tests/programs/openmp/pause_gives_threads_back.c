// omp_pause_resource ends the threads that nobody needs; the next region starts new ones. Inside a region it
// is refused. OpenMP 5.2, 18.6 resource relinquishing routines.
#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

#include "check.h"

// The kernel's own count: a list of /proc/self/task may end early while a thread in it ends.
static int threads_of_this_process(void) {
  FILE* status = fopen("/proc/self/status", "r");
  CHECK(status != NULL);
  int count = 0;
  for (char line[256]; count == 0 && fgets(line, sizeof line, status) != NULL;)
    sscanf(line, "Threads: %d", &count);
  fclose(status);
  CHECK(count > 0);
  return count;
}

static void* nothing(void* argument) {
  return argument;
}

// Threads without OpenMP: a sanitizer may start one of its own beside the program's first, and one that has
// been joined may be seen for a moment more.
static int threads_at_rest(void) {
  pthread_t thread;
  CHECK(pthread_create(&thread, NULL, nothing, NULL) == 0);
  CHECK(pthread_join(thread, NULL) == 0);
  int least = threads_of_this_process();
  for (int look = 0; look < 20; look++) {
    usleep(5000);
    const int now = threads_of_this_process();
    if (now < least) least = now;
  }
  return least;
}

static int team_of(int wanted) {
  int sum = 0;
#pragma omp parallel num_threads(wanted) reduction(+ : sum)
  sum += 1;
  return sum;
}

int main(void) {
  const int host = omp_get_initial_device(), before = threads_at_rest();
  for (int round = 0; round < 20; round++) {
    CHECK(team_of(4) == 4);
    CHECK(threads_of_this_process() >= before + 3);
    CHECK((round % 2 == 0 ? omp_pause_resource(omp_pause_soft, host)
                          : omp_pause_resource_all(omp_pause_hard)) == 0);
    for (int wait = 0; wait < 5000 && threads_of_this_process() > before; wait++) usleep(1000);
    CHECK(threads_of_this_process() == before);
  }
  CHECK(team_of(3) == 3);
  int refused = 0;
#pragma omp parallel num_threads(2) reduction(+ : refused)
  refused += omp_pause_resource_all(omp_pause_soft) != 0;
  CHECK(refused == 2);
  CHECK(omp_pause_resource(omp_pause_soft, host + 3) != 0);
  CHECK(team_of(5) == 5);
  return 0;
}
