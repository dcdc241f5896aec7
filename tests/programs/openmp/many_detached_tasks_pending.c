// Hundreds of detached tasks may be pending at once: none of them keeps the encountering task from going on.
// OpenMP 5.1, 2.12.1 task construct, detach clause; 3.5.1 omp_fulfill_event.
#include <omp.h>

#include "check.h"

enum { kTasks = 1000 };
static omp_event_handle_t handles[kTasks];
static int chain[kTasks];

int main(void) {
  int followers = 0;
#pragma omp parallel shared(followers)
#pragma omp single
  {
    for (int round = 1; round <= 3; round++) {
      for (int i = 0; i < kTasks; i++) {
        omp_event_handle_t event;
#pragma omp task detach(event) depend(inout : chain[i])
        chain[i]++;
        handles[i] = event;
#pragma omp task depend(in : chain[i]) shared(followers)
        {
          CHECK(chain[i] == round);
#pragma omp atomic
          followers++;
        }
      }
#pragma omp taskloop grainsize(10)
      for (int i = 0; i < kTasks; i++) omp_fulfill_event(handles[(i * 7 + 3) % kTasks]);
#pragma omp taskwait
      CHECK(followers == round * kTasks);
    }
  }
  return 0;
}
