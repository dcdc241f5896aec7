// Each task of a taskloop begins with its own firstprivate variables and control variables, whatever the
// tasks before it wrote to theirs; it has its own children to wait for, and its own dependences between them.
// OpenMP 5.1, 2.12.2 taskloop construct; 2.4.2 data environments; 2.19.11 depend clause.
#include <omp.h>
#include <string.h>

#include "check.h"

#ifdef __clang__  // Clang 19 warns of the unsigned bounds that it makes for every taskloop itself.
#  pragma clang diagnostic ignored "-Wsign-compare"
#endif

enum { kTrip = 3000 };

static void variables(void) {
  char odd[7] = "Heddle";
  char large[300];
  memset(large, 'x', sizeof large);
  int count = 0;
  double third = 1.0 / 3;
  const int threads = omp_get_max_threads();
#pragma omp taskloop grainsize(1) firstprivate(odd)
  for (int i = 0; i < kTrip; i++) {
    CHECK(strcmp(odd, "Heddle") == 0);
    odd[i % 6] = '?';
  }
#pragma omp taskloop grainsize(1) firstprivate(count, third)
  for (int i = 0; i < kTrip; i++) {
    CHECK(count == 0 && third == 1.0 / 3);
    CHECK(omp_get_max_threads() == threads);
    count++;
    third = i;
    if (i % 3 == 0) omp_set_num_threads(threads + 1 + i % 2);
  }
#pragma omp taskloop num_tasks(1000) firstprivate(large)
  for (int i = 0; i < kTrip; i++) {
    CHECK(large[i % 300] == 'x');
    if (i % 3 == 2) large[(i + 1) % 300] = 'y';
  }
  CHECK(strcmp(odd, "Heddle") == 0 && count == 0 && large[0] == 'x' && omp_get_max_threads() == threads);
}

static void children(void) {
  static int done[kTrip];
  memset(done, 0, sizeof done);
  int others = 0;
#pragma omp taskloop grainsize(1) shared(done, others)
  for (int i = 0; i < kTrip; i++) {
    if (i % 2 == 0) {
#pragma omp task shared(done)
      done[i]++;
#pragma omp taskwait
      CHECK(done[i] == 1);
    } else if (i % 8 == 1) {
#pragma omp task shared(others)
      {
#pragma omp atomic
        others++;
      }
    }
  }
  CHECK(others == (kTrip + 6) / 8);
}

// The first task that comes leaves a child which only the second one ends.
static omp_event_handle_t event;
static int begun, ready;

static int arrive(void) {
  int order;
#pragma omp atomic capture
  order = begun++;
  return order;
}

static void announce(omp_event_handle_t handle) {
  event = handle;
#pragma omp atomic write seq_cst
  ready = 1;
}

static void fulfill(void) {
  int is_ready = 0;
  while (!is_ready) {
#pragma omp atomic read seq_cst
    is_ready = ready;
  }
  omp_fulfill_event(event);
}

static void detached_child(void) {
  omp_event_handle_t handle = (omp_event_handle_t)no_event();
#pragma omp task detach(handle)
  announce(handle);
}

static void child_of_another_is_not_waited_for(void) {
  begun = ready = 0;
#pragma omp taskloop grainsize(1)
  for (int i = 0; i < 2; i++) {
    if (arrive() == 0) {
      detached_child();
    } else {
#pragma omp taskwait
      fulfill();
    }
  }
}

static void detached_child_that_writes(int* data) {
  (void)data;  // GCC does not see its use
  omp_event_handle_t handle = (omp_event_handle_t)no_event();
#pragma omp task detach(handle) depend(inout : *data)
  announce(handle);
}

static void dependences_bind_within(void) {
  int data = 0;
  begun = ready = 0;
#pragma omp taskloop grainsize(1) shared(data)
  for (int i = 0; i < 2; i++) {
    if (arrive() == 0) {
      detached_child_that_writes(&data);
    } else {
#pragma omp task depend(inout : data)
      fulfill();
    }
  }
}

static void dependences_of_each(void) {
  long sums[64] = {0};
#pragma omp taskloop grainsize(1) shared(sums)
  for (int i = 0; i < 64; i++) {
    long value = 0;
    for (int k = 0; k < 10; k++) {
#pragma omp task depend(inout : value) shared(value)
      value = value * 2 + 1;
    }
#pragma omp task depend(in : value) shared(value, sums)
    sums[i] = value + i;
#pragma omp taskwait
  }
  for (int i = 0; i < 64; i++) CHECK(sums[i] == 1023 + i);
}

int main(void) {
#pragma omp parallel
#pragma omp single
  for (int round = 0; round < 10; round++) {
    variables();
    children();
    child_of_another_is_not_waited_for();
    dependences_bind_within();
    dependences_of_each();
  }
  return 0;
}
