// Waits that a runtime may get wrong in either direction: threads that sleep too early where the next region
// comes soon, and threads that keep a processor busy while those they wait for sleep.
//
//   waits gaps [microseconds of a gap] [repetitions]       regions of 100 us with serial parts between them
//   waits sleepers [microseconds of sleep] [repetitions]   loops, in chunks on demand, whose bodies sleep
//   waits primary [microseconds of work] [repetitions]     behind a barrier all poll for what the primary
//   thread does
//
// A fourth argument says how many steps of work a microsecond is, so that runs that are compared do the same;
// "waits steps" prints it. Prints "wall SECONDS processor SECONDS".
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

static double processor_seconds(void) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
         1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

// Of a processor, whatever the clock says: the same work under every runtime.
static void work(long steps) {
  volatile double sum = 0;
  for (long i = 0; i < steps; ++i) sum += (double)i;
}

static long steps_in_us(void) {
  long steps = 100000;
  double best = 1;
  for (int i = 0; i < 5; ++i) {
    const double start = omp_get_wtime();
    work(steps);
    const double taken = omp_get_wtime() - start;
    if (taken < best) best = taken;
  }
  return (long)((double)steps * 1e-6 / best) + 1;
}

static void gaps(long steps, long gap_us, long repetitions) {
  for (long r = 0; r < repetitions; ++r) {
    work(steps * gap_us);
#pragma omp parallel for schedule(static)
    for (int piece = 0; piece < 48; ++piece) work(steps * 100 / 48);
  }
}

static void sleepers(long sleep_us, long repetitions) {
  const struct timespec pause = {0, sleep_us * 1000};
#pragma omp parallel
  for (long r = 0; r < repetitions; ++r) {
#pragma omp for schedule(dynamic)
    for (int i = 0; i < 6; ++i) nanosleep(&pause, NULL);
#pragma omp for schedule(guided)
    for (int i = 0; i < 6; ++i) nanosleep(&pause, NULL);
  }
}

static void primary(long steps, long work_us, long repetitions) {
  static volatile long done = 0;
  const struct timespec pause = {0, 10 * 1000};
  done = 0;
#pragma omp parallel
  for (long r = 1; r <= repetitions; ++r) {
#pragma omp barrier
    if (omp_get_thread_num() == 0) {
      work(steps * work_us);
      done = r;
    } else {
      for (long looks = 0; looks < 1000000 && done < r; ++looks) continue;
      while (done < r) nanosleep(&pause, NULL);
    }
#pragma omp barrier
  }
}

int main(int argc, char** argv) {
  const char* const what = argc > 1 ? argv[1] : "gaps";
  const long us = argc > 2 ? atol(argv[2]) : 500;
  const long repetitions = argc > 3 ? atol(argv[3]) : 500;
  const long steps = argc > 4 ? atol(argv[4]) : steps_in_us();
  const double before = processor_seconds(), start = omp_get_wtime();
  if (strcmp(what, "steps") == 0) {
    printf("%ld\n", steps);
    return 0;
  }
  if (strcmp(what, "gaps") == 0) {
    gaps(steps, us, repetitions);
  } else if (strcmp(what, "sleepers") == 0) {
    sleepers(us, repetitions);
  } else if (strcmp(what, "primary") == 0) {
    primary(steps, us, repetitions);
  } else {
    fprintf(stderr, "waits: '%s' is neither gaps, sleepers, primary nor steps\n", what);
    return 2;
  }
  printf("wall %.4f processor %.4f\n", omp_get_wtime() - start, processor_seconds() - before);
  return 0;
}
