// A thread that creates tasks, and calls pollers between them, executes what a poller has made ready, and
// what that makes ready, before it creates on: not when it comes to wait.
#include <omp.h>
#include <stdatomic.h>

#include "check.h"
#include "heddle.h"

enum { kTasks = 20000 };

static omp_event_handle_t message;
static atomic_int is_due;
static int has_come;

static void receive(void* nothing) {
  (void)nothing;
  if (has_come || !atomic_load(&is_due)) return;
  has_come = 1;
  omp_fulfill_event(message);
}

int main(void) {
  static char cells[kTasks];
  static char ghost;  // stands for the dependence
  int created = 0, unpacked_after = -1, sent_after = -1;
  heddle_poller_t poller;
#pragma omp parallel num_threads(1)
#pragma omp single
  {
    omp_event_handle_t event;
    poller = heddle_register_poller(receive, NULL, 0);
    CHECK(poller != NULL);
#pragma omp task depend(out : ghost) detach(event)
    message = event;
#pragma omp task depend(inout : ghost) shared(created, unpacked_after)
    {
      ghost = 1;
      unpacked_after = created;
    }
#pragma omp task depend(in : ghost) shared(created, sent_after)
    sent_after = created;
    for (created = 0; created < kTasks; ++created) {
      if (created == kTasks / 2) atomic_store(&is_due, 1);
#pragma omp task depend(inout : cells[created])
      ++cells[created];
    }
#pragma omp taskwait
    heddle_unregister_poller(poller);
  }
  CHECK(has_come);
  CHECK(unpacked_after >= kTasks / 2 && unpacked_after < kTasks);
  CHECK(sent_after >= unpacked_after && sent_after < kTasks);
  for (int i = 0; i < kTasks; ++i) CHECK(cells[i] == 1);
  return 0;
}
