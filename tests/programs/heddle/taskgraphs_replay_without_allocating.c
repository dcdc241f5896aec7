// A replay takes no memory and gives none back, once the threads' queues are as long as they get.
#include <omp.h>
#include <stddef.h>

#include "check.h"
#include "heddle.h"

// The program's own malloc() comes before the C library's, for libheddle as well. Sanitizers have theirs.
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#  define COUNTS_ALLOCATIONS 1
#  include <stdatomic.h>

void* __libc_malloc(size_t size);
void __libc_free(void* block);
static atomic_long allocations;

void* malloc(size_t size) {
  atomic_fetch_add(&allocations, 1);
  return __libc_malloc(size);
}
void free(void* block) {
  if (block != NULL) atomic_fetch_add(&allocations, 1);
  __libc_free(block);
}
static long allocated(void) {
  return allocations;
}
#else
#  define COUNTS_ALLOCATIONS 0
static long allocated(void) {
  return 0;
}
#endif

enum { kTasks = 2000, kRounds = 60, kGrowths = 4 };  // of a thread's queue, at most: from 256 to kTasks

int main(void) {
  static int cells[kTasks];
  int x = 0;
  int rounds_that_allocate = 0, times_created = 0;
#pragma omp parallel
#pragma omp single
  for (int round = 0; round < kRounds; round++) {
    const long before = allocated();
    HEDDLE_TASKGRAPH() {
      times_created++;
      for (int i = 0; i < kTasks; i++) {
#pragma omp task depend(in : x) shared(cells) firstprivate(i)
        cells[i]++;
      }
#pragma omp taskwait
      for (int i = 0; i < kTasks; i++) {
#pragma omp task depend(inout : x) depend(out : cells[i % 7]) shared(x)
        x++;
      }
    }
    if (allocated() != before) rounds_that_allocate++;
  }
  CHECK(x == kTasks * kRounds && cells[kTasks - 1] == kRounds);
  CHECK(times_created == 1);
  // The first records.
  if (COUNTS_ALLOCATIONS)
    CHECK(rounds_that_allocate >= 1 && rounds_that_allocate <= 1 + kGrowths * omp_get_max_threads());
  return 0;
}
