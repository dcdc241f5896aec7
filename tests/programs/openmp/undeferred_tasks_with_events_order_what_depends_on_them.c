// An undeferred task with an event is incomplete until that is fulfilled: its creator goes on, siblings that
// depend on it wait. OpenMP 5.2, sections 1.2.5, 12.5.2 and 15.9.5.
#include <omp.h>

#include "check.h"

static int a, b;

static int load(int* from) {
  return __atomic_load_n(from, __ATOMIC_SEQ_CST);
}

static void siblings_wait(int is_final) {
  int before = 0, ran = 0, fulfilled = 0, after = 0, other = 0;
  omp_event_handle_t event = (omp_event_handle_t)no_event();
#pragma omp task depend(out : a) shared(before)
  __atomic_store_n(&before, 1, __ATOMIC_SEQ_CST);
#pragma omp task if (0) detach(event) depend(inout : a) depend(in : b) shared(ran, before) final(is_final)
  ran = 1 + load(&before);
  CHECK(ran == 2);
#pragma omp task depend(in : a) shared(fulfilled, after)
  after = 1 + load(&fulfilled);
#pragma omp task depend(in : b) shared(other)  // a reader beside a reader
  __atomic_store_n(&other, 1, __ATOMIC_SEQ_CST);
  while (!load(&other)) {
#pragma omp taskyield
  }
  CHECK(load(&after) == 0);
  __atomic_store_n(&fulfilled, 1, __ATOMIC_SEQ_CST);
  omp_fulfill_event(event);
#pragma omp taskwait
  CHECK(after == 2);
}

static void fulfilled_inside(void) {
  int after = 0;
  omp_event_handle_t event = (omp_event_handle_t)no_event();
#pragma omp task if (0) detach(event) depend(out : a)
  omp_fulfill_event(event);
#pragma omp task depend(in : a) shared(after)
  after++;
#pragma omp taskwait
  CHECK(after == 1);
}

static void exclusive_tasks(void) {
  int inside = 0, ended = 0, fulfilled = 0;
  omp_event_handle_t event = (omp_event_handle_t)no_event();
  for (int i = 0; i < 4; i++) {
#pragma omp task depend(mutexinoutset : a) shared(inside, ended)
    {
      CHECK(__atomic_fetch_add(&inside, 1, __ATOMIC_SEQ_CST) == 0);
      __atomic_fetch_sub(&inside, 1, __ATOMIC_SEQ_CST);
      __atomic_fetch_add(&ended, 1, __ATOMIC_SEQ_CST);
    }
  }
#pragma omp task if (0) detach(event) depend(mutexinoutset : a) shared(inside)
  CHECK(load(&inside) == 0);
#pragma omp task depend(mutexinoutset : a) shared(inside, fulfilled, ended)
  {
    CHECK(load(&inside) == 0 && load(&fulfilled));
    __atomic_fetch_add(&ended, 1, __ATOMIC_SEQ_CST);
  }
  __atomic_store_n(&fulfilled, 1, __ATOMIC_SEQ_CST);
  omp_fulfill_event(event);
#pragma omp taskwait
  CHECK(ended == 5);
}

// What a taskwait has waited for is nothing that an undeferred task after it depends on.
static void waits_are_not_dependences(void) {
  int after = 0, ran = 0;
  omp_event_handle_t event = (omp_event_handle_t)no_event();
#pragma omp task depend(out : a) shared(ran)
  ran++;
#pragma omp taskwait depend(in : a)
#pragma omp task if (0) detach(event) shared(ran)
  ran++;
#pragma omp task depend(out : a) shared(after)
  after = 1;
#pragma omp taskwait depend(in : a)
  CHECK(ran == 2 && after == 1);
  omp_fulfill_event(event);
#pragma omp taskwait
}

int main(void) {
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 200; i++) {
    siblings_wait(0);
    siblings_wait(1);
    fulfilled_inside();
    exclusive_tasks();
    waits_are_not_dependences();
  }
  return 0;
}
