// Handlers of fork() that a program has registered before it first uses OpenMP run around the runtime's own,
// in all three places; they may open regions and give threads back.
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

#include "check.h"
#include "fork_handlers.h"

int main(void) {
  alarm(100);
  CHECK(pthread_atfork(handle, handle, handle) == 0);
  fork_and_check();
  CHECK(atomic_load(&handled) == 2);  // the third was the child's
  for (int i = 0; i < kForks; ++i) {
    CHECK(sum_of_tasks() == 55);
    fork_and_check();
  }
  CHECK(atomic_load(&handled) == 2 + 2 * kForks);
  return 0;
}
