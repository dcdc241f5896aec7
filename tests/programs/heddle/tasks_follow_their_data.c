// A task goes to the thread that last worked on what it writes, or on what its affinity clause names,
// although the thread that makes it ready could run it at once.
#include <omp.h>
#include <stdbool.h>

#include "busy.h"
#include "check.h"

static bool flag_is_set(const int* flag) {
  int value;
#pragma omp atomic read seq_cst
  value = *flag;
  return value != 0;
}

static void set(int* flag) {
#pragma omp atomic write seq_cst
  *flag = 1;
}

static void wait_for(const int* flag) {
  const double end = omp_get_wtime() + 20;
  while (!flag_is_set(flag)) CHECK(omp_get_wtime() < end);
}

// Short tasks are not worth sending: these say that tasks last.
static void show_long_tasks(void) {
  int data[64];
  for (int i = 0; i < 64; i++) {
#pragma omp task depend(out : data[i]) shared(data) firstprivate(i)
    {
      data[i] = i;
      last_for_us(50);
    }
  }
#pragma omp taskwait
  for (int i = 0; i < 64; i++) CHECK(data[i] == i);
}

enum By { kDependence, kAffinity };

// Creates a task that works on `data`; it sets `done`, and says who ran it.
static void work_on(int* data, enum By by, int* done, int* who) {
  if (by == kDependence) {
#pragma omp task depend(inout : data[0]) firstprivate(data, done, who)
    {
      *who = omp_get_thread_num();
      data[0]++;
      last_for_us(50);
      set(done);
    }
  } else {
#ifdef __clang__
#  pragma omp task affinity(data[0]) firstprivate(data, done, who)
    {
      *who = omp_get_thread_num();
      data[0]++;
      last_for_us(50);
      set(done);
    }
#endif
  }
}

static void data_stays_with_its_thread(enum By by) {
  int data = 0, first_done = 0, first_by = -1;
  work_on(&data, by, &first_done, &first_by);
  wait_for(&first_done);  // the other thread ran it: this one was here
#pragma omp taskwait
  CHECK(first_by == 1 - omp_get_thread_num());

  // The other is busy until this one begins with the first of two tasks; it would rather run the newest
  // itself.
  int is_busy = 0, may_end = 0, again_done = 0, again_by = -1;
#pragma omp task shared(is_busy, may_end)
  {
    set(&is_busy);
    wait_for(&may_end);
  }
  wait_for(&is_busy);
#pragma omp task shared(may_end, again_done)
  {
    set(&may_end);
    wait_for(&again_done);
  }
  work_on(&data, by, &again_done, &again_by);
#pragma omp taskwait
  CHECK(again_by == first_by);
}

int main(void) {
#pragma omp parallel num_threads(2)
  {
#pragma omp single
    {
      show_long_tasks();
      data_stays_with_its_thread(kDependence);
#ifdef __clang__
      data_stays_with_its_thread(kAffinity);
#endif
    }
  }
  return 0;
}
