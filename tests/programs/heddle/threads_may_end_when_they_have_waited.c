// A thread that OpenMP does not know may end as soon as it went on, and another begin in its stead, while who
// has fulfilled its event is still about to return.
#include <omp.h>
#include <pthread.h>

#include "check.h"
#include "heddle.h"
#include "outsider.h"

enum { kRounds = 300, kThreads = 4 };

static outsider g_outsiders[2];

static void* wait_once(void* argument) {
  const omp_event_handle_t event = omp_task_continuation_event();
  hand_to(argument, event);
  omp_taskwait_detach(event);
  return NULL;
}

int main(void) {
  for (int i = 0; i < 2; i++) start_outsider(&g_outsiders[i], 0);
  for (int round = 0; round < kRounds; round++) {
    pthread_t threads[kThreads];
    for (int i = 0; i < kThreads; i++)
      CHECK(pthread_create(&threads[i], NULL, wait_once, &g_outsiders[i % 2]) == 0);
    for (int i = 0; i < kThreads; i++) CHECK(pthread_join(threads[i], NULL) == 0);
  }
  for (int i = 0; i < 2; i++) end_outsider(&g_outsiders[i]);
  return 0;
}
