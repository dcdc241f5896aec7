// Events may be fulfilled by a thread that is none of the team's, while the team waits in taskwait or a
// barrier. OpenMP 5.1, 3.5.1 omp_fulfill_event; 2.12.1 task construct, detach clause.
#include <omp.h>
#include <pthread.h>

#include "check.h"

enum { kTasks = 40 };
static omp_event_handle_t handles[kTasks];
static int bodies[kTasks];
static int values[kTasks];

static void* fulfil_all(void* argument) {
  (void)argument;
  for (int i = kTasks - 1; i >= 0; i--) {
    values[i] = i + 1;
    omp_fulfill_event(handles[i]);
  }
  return NULL;
}

int main(void) {
  for (int round = 0; round < 50; round++) {
    int followers = 0;
    pthread_t outsider;
#pragma omp parallel shared(followers, outsider)
#pragma omp single
    {
      for (int i = 0; i < kTasks; i++) {
        omp_event_handle_t event;
        bodies[i] = values[i] = 0;
#pragma omp task detach(event) depend(out : values[i])
        bodies[i] = 1;
        handles[i] = event;
      }
      for (int i = 0; i < kTasks; i++) {
#pragma omp task depend(in : values[i]) shared(followers)
        {
          CHECK(bodies[i] == 1 && values[i] == i + 1);
#pragma omp atomic
          followers++;
        }
      }
      CHECK(pthread_create(&outsider, NULL, fulfil_all, NULL) == 0);
      if (round % 2 == 0) {
#pragma omp taskwait
        CHECK(followers == kTasks);
      }
    }
    CHECK(followers == kTasks);
    CHECK(pthread_join(outsider, NULL) == 0);
  }
  return 0;
}
