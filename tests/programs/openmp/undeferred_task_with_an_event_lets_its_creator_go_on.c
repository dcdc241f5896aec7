// An undeferred task suspends its creator until its structured block has ended; its event may be fulfilled
// later, and a taskwait waits for that. OpenMP 5.2, sections 1.2.5 and 12.5.2.
#include <omp.h>
#include <pthread.h>
#include <unistd.h>

#include "check.h"

static int fulfilled;

static void* fulfil_later(void* argument) {
  usleep(20000);
  __atomic_store_n(&fulfilled, 1, __ATOMIC_SEQ_CST);
  omp_fulfill_event(*(omp_event_handle_t*)argument);
  return 0;
}

static void by_its_creator(int is_final) {
  int executed = 0, after = 0;
  omp_event_handle_t event = (omp_event_handle_t)no_event();
#pragma omp task if (0) detach(event) shared(executed) final(is_final)
  executed++;
  CHECK(executed == 1);
#pragma omp task shared(after)
  after++;
  omp_fulfill_event(event);
#pragma omp taskwait
  CHECK(after == 1);
}

static void by_another_thread(int in_group) {
  pthread_t thread;
  omp_event_handle_t event = (omp_event_handle_t)no_event();
  int executed = 0;
  fulfilled = 0;
  if (in_group) {
#pragma omp taskgroup
    {
#pragma omp task if (0) detach(event) shared(executed)
      executed++;
      CHECK(executed == 1 && !__atomic_load_n(&fulfilled, __ATOMIC_SEQ_CST));
      CHECK(pthread_create(&thread, 0, fulfil_later, &event) == 0);
    }
  } else {
#pragma omp task if (0) detach(event) shared(executed)
    executed++;
    CHECK(pthread_create(&thread, 0, fulfil_later, &event) == 0);
#pragma omp taskwait
  }
  CHECK(__atomic_load_n(&fulfilled, __ATOMIC_SEQ_CST));
  CHECK(pthread_join(thread, 0) == 0);
}

int main(void) {
#pragma omp parallel
#pragma omp single
  {
    by_its_creator(0);
    by_its_creator(1);
    by_another_thread(0);
    by_another_thread(1);
  }
  return 0;
}
