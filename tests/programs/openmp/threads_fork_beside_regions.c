// A thread forks while the regions and tasks of another go on, with handlers of fork() that open regions and
// give threads back.
#include <omp.h>
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

#include "check.h"
#include "fork_handlers.h"

static void* fork_meanwhile(void* stop) {
  for (int i = 0; i < kForks; ++i) fork_and_check();
  atomic_store((atomic_int*)stop, 1);
  return NULL;
}

int main(void) {
  alarm(100);
  CHECK(pthread_atfork(handle, handle, handle) == 0);
  pthread_t thread;
  atomic_int stop = 0;
  CHECK(pthread_create(&thread, NULL, fork_meanwhile, &stop) == 0);
  while (!atomic_load(&stop)) {
    CHECK(sum_of_tasks() == 55);
    CHECK(omp_pause_resource_all(omp_pause_soft) == 0);  // threads come and go, which takes locks
  }
  CHECK(pthread_join(thread, NULL) == 0);
  CHECK(atomic_load(&handled) == 2 * kForks);  // each third was a child's
  return 0;
}
