// The tasks of a taskloop with nogroup have their firstprivate values after the function that met it has
// returned and its stack serves others. OpenMP 5.1, 2.12.2 taskloop construct, nogroup clause.
#include <omp.h>
#include <string.h>

#include "check.h"

#ifdef __clang__  // Clang 19 warns of the unsigned bounds that it makes for every taskloop itself.
#  pragma clang diagnostic ignored "-Wsign-compare"
#endif

enum { kTrip = 2000 };

static int runs[kTrip];

static void start(int seed) {
  int values[20];
  for (int k = 0; k < 20; k++) values[k] = seed + k;
#pragma omp taskloop grainsize(1) nogroup firstprivate(values, seed)
  for (int i = 0; i < kTrip; i++) {
    CHECK(values[i % 20] == seed + i % 20);
    values[i % 20] = -1;
    runs[i]++;
  }
}

// GCC copies variables of a word into the arguments itself, arrays by a function.
static void start_with_words(int seed) {
  long twice = 2L * seed;
  double half = seed / 2.0;
#pragma omp taskloop grainsize(1) nogroup firstprivate(seed, twice, half)
  for (int i = 0; i < kTrip; i++) {
    CHECK(twice == 2L * seed && half == seed / 2.0);
    seed = i;
    half = twice = -1;
    runs[i]++;
  }
}

static int overwrite_stack(int value) {
  volatile char bytes[4096];
  for (int k = 0; k < 4096; k++) bytes[k] = (char)value;
  return bytes[17];
}

// The task that met the loop may be complete before the loop's tasks are.
static void start_in_task(int seed) {
#pragma omp task firstprivate(seed)
  start_with_words(seed);
}

int main(void) {
#pragma omp parallel
  for (int round = 0; round < 40; round++) {
#pragma omp single
    {
      start(1000 * round);
      CHECK(overwrite_stack(round) == round);
#pragma omp taskwait
      for (int i = 0; i < kTrip; i++) CHECK(runs[i] == 1);
      start_with_words(round);
      CHECK(overwrite_stack(round) == round);
#pragma omp taskwait
      for (int i = 0; i < kTrip; i++) CHECK(runs[i] == 2);
      memset(runs, 0, sizeof runs);
#pragma omp taskgroup
      {
        start_in_task(round);
        CHECK(overwrite_stack(round) == round);
      }
      for (int i = 0; i < kTrip; i++) CHECK(runs[i] == 1);
      memset(runs, 0, sizeof runs);
      start_in_task(7 * round);
    }
    // The barrier of single waits for them all.
    if (omp_get_thread_num() == 0) {
      for (int i = 0; i < kTrip; i++) CHECK(runs[i] == 1);
      memset(runs, 0, sizeof runs);
    }
#pragma omp barrier
  }
  return 0;
}
