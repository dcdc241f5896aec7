// A thread that has no part in a region of fewer threads waits for its next region, and polls meanwhile. What
// it completes then may make tasks of that region ready: the threads of the region execute them.
#include <omp.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "check.h"
#include "heddle.h"

enum { kRounds = 30 };

static _Thread_local bool is_idle_in_narrow_regions;
static _Atomic(omp_event_handle_t*) pending;
static atomic_int body_ran, fulfilled, calls;

// A thread outside the region does it, some calls after the body has run; or another, where that one sleeps.
static void fulfil(void* argument) {
  (void)argument;
  if (!atomic_load(&body_ran)) return;
  const int call = atomic_fetch_add(&calls, 1);
  if (call < 10 || (call < 2000 && !is_idle_in_narrow_regions)) return;
  omp_event_handle_t* event = atomic_exchange(&pending, NULL);
  if (event == NULL) return;
  omp_fulfill_event(*event);
  atomic_store(&fulfilled, 1);
}

static void successors_are_executed(int narrow) {
  int x = 0;
  omp_event_handle_t event = (omp_event_handle_t)no_event();
  atomic_store(&fulfilled, 0);
  atomic_store(&body_ran, 0);
  atomic_store(&calls, 0);
#pragma omp parallel num_threads(narrow) shared(x, event)
#pragma omp single
  {
#pragma omp task detach(event) depend(out : x) shared(x)
    {
      x = 1;
      atomic_store(&body_ran, 1);
    }
    for (int i = 0; i < 3;
         ++i) {  // one goes on with the thread that completes the first, where it has a part
#pragma omp task depend(in : x) shared(x)
      CHECK(x == 1);
    }
#pragma omp task depend(out : x) shared(x)
    x = 2;
    atomic_store(&pending, &event);
    while (narrow > 1 && !atomic_load(&fulfilled)) continue;  // busy: it polls at no time before that
  }
  CHECK(x == 2);
}

int main(void) {
  const int wide = omp_get_max_threads();
  if (wide < 2) return 0;
  heddle_poller_t poller = heddle_register_poller(fulfil, NULL, 20);
  CHECK(poller != NULL);
  for (int i = 0; i < kRounds; ++i) {
#pragma omp parallel num_threads(wide)
    is_idle_in_narrow_regions = omp_get_thread_num() == wide - 1;
    successors_are_executed(1 + i % (wide - 1));
  }
  heddle_unregister_poller(poller);
  return 0;
}
