// A hundred thousand tasks are suspended at the same time, each with a stack of its own, and each costs less
// memory than three pages. They go on in another order than they were suspended in.
#include <omp.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "check.h"
#include "heddle.h"
#include "support/sanitized.h"

#ifdef IS_SANITIZED
enum { kTasks = 1000 };  // they keep much for each stack, and have no room for many
#else
enum { kTasks = 100000 };
#endif

static omp_event_handle_t g_events[kTasks];
static int g_went_on[kTasks];
static atomic_int g_suspended;

static long resident_pages(void) {
  long pages = 0;
  FILE* const file = fopen("/proc/self/statm", "r");
  CHECK(file != NULL && fscanf(file, "%*s %ld", &pages) == 1);
  fclose(file);
  return pages;
}

static void suspend_once(int i) {
  unsigned char kept[128];
  memset(kept, i & 0xff, sizeof kept);
  g_events[i] = omp_task_continuation_event();
  atomic_fetch_add(&g_suspended, 1);
  __asm__ volatile("" : : "r"(kept) : "memory");
  omp_taskwait_detach(g_events[i]);
  for (size_t k = 0; k < sizeof kept; k++) CHECK(kept[k] == (i & 0xff));
  g_went_on[i]++;
}

// Of all numbers below kTasks each comes once: the step and kTasks have no common divisor.
static int shuffled(int i) {
  return (int)(((int64_t)i * 7919 + 13) % kTasks);
}

static void suspend_all_and_go_on(int has_to_be_small) {
  atomic_store(&g_suspended, 0);
  memset(g_went_on, 0, sizeof g_went_on);
  memset(g_events, 0, sizeof g_events);
#pragma omp parallel
#pragma omp single
  {
    const long before = resident_pages();
    for (int i = 0; i < kTasks; i++) {
#pragma omp task firstprivate(i)
      suspend_once(i);
    }
    while (atomic_load(&g_suspended) < kTasks) {
#pragma omp taskyield
    }
    const long pages = resident_pages() - before;
    if (has_to_be_small && pages >= 3L * kTasks) {
      printf("%.2f pages for each suspended task\n", (double)pages / kTasks);
      CHECK(!"a suspended task costs less than three pages");
    }
    for (int i = 0; i < kTasks; i++) omp_fulfill_event(g_events[shuffled(i)]);
  }
  for (int i = 0; i < kTasks; i++) CHECK(g_went_on[i] == 1);
}

int main(void) {
#ifdef IS_SANITIZED
  suspend_all_and_go_on(0);
#else
  suspend_all_and_go_on(1);
#endif
  suspend_all_and_go_on(0);  // stacks that were used before
  return 0;
}
