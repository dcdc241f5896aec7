// grainsize(g) makes tasks of g to 2g - 1 iterations, strict of exactly g but for the last, num_tasks(t) at
// most t tasks, strict exactly t; every iteration is in one task. OpenMP 5.1, 2.12.2 taskloop construct.
#include <omp.h>

#include "check.h"

#ifdef __clang__  // Clang 19 warns of the unsigned bounds that it makes for every taskloop itself.
#  pragma clang diagnostic ignored "-Wsign-compare"
#endif

enum { kMost = 100 };
static int owner[kMost];
static int tasks;

// The firstprivate tag is one per task: the first iteration of a task numbers it.
#define RUN(n, ...)                                      \
  do {                                                   \
    int tag = -1;                                        \
    tasks = 0;                                           \
    for (int i = 0; i < kMost; i++) owner[i] = -1;       \
    _Pragma(__VA_ARGS__) for (int i = 0; i < (n); i++) { \
      if (tag < 0) {                                     \
        _Pragma("omp atomic capture") tag = tasks++;     \
      }                                                  \
      CHECK(owner[i] == -1);                             \
      owner[i] = tag;                                    \
    }                                                    \
    CHECK(tag == -1);                                    \
  } while (0)

static int size_of(int task) {
  int size = 0;
  for (int i = 0; i < kMost; i++) size += owner[i] == task;
  return size;
}

int main(void) {
#pragma omp parallel
#pragma omp single
  for (int n = 1; n < kMost; n += 7) {
    for (int k = 1; k <= 40; k += 3) {
      int done = 0;
      RUN(n, "omp taskloop firstprivate(tag) grainsize(k)");
      for (int t = 0; t < tasks; t++) {
        CHECK(size_of(t) >= (k < n ? k : n) && size_of(t) < 2 * k);
        done += size_of(t);
      }
      CHECK(done == n);
      RUN(n, "omp taskloop firstprivate(tag) num_tasks(k)");
      CHECK(tasks >= 1 && tasks <= k && tasks <= n);
#ifndef __clang__  // Clang 19 does not tell the runtime of strict.
      RUN(n, "omp taskloop firstprivate(tag) grainsize(strict : k)");
      CHECK(tasks == (n + k - 1) / k);
      for (int i = 0; i < n; i++) CHECK(owner[i] == owner[i / k * k]);
      RUN(n, "omp taskloop firstprivate(tag) num_tasks(strict : k)");
      CHECK(tasks == (k < n ? k : n));
      for (int i = 0; i < n; i++) CHECK(owner[i] >= 0);
#endif
    }
    RUN(n, "omp taskloop firstprivate(tag)");
    RUN(0, "omp taskloop firstprivate(tag)");
    CHECK(tasks == 0);
  }
  return 0;
}
