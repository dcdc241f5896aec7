#include "support.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

void* allocated(long count, long size_bytes) {
  const size_t bytes = ((size_t)count * (size_t)size_bytes + kCacheLine - 1) / kCacheLine * kCacheLine;
  void* memory = aligned_alloc(kCacheLine, bytes);
  if (memory == NULL) refuse("there is no memory for %ld times %ld bytes", count, size_bytes);
  memset(memory, 0, bytes);  // touched, so that it is not taken for the runtime's later
  return memory;
}

void refuse(const char* format, ...) {
  va_list words;
  va_start(words, format);
  fprintf(stderr, "%s: ", program_name);
  vfprintf(stderr, format, words);
  fputc('\n', stderr);
  va_end(words);
  exit(2);
}

double now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static int compare(const void* a, const void* b) {
  const double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

double sorted_median(double* values, long count) {
  qsort(values, (size_t)count, sizeof *values, compare);
  return (values[count / 2] + values[(count - 1) / 2]) / 2;
}

// The least of many short samples: whatever disturbs one only ever adds to it.
static double ns_per_iteration(void) {
  enum { kSamples = 40, kIterations = 100000 };
  double least = 1e300;
  compute(kIterations);
  for (int sample = 0; sample < kSamples; ++sample) {
    const double start = now_ns();
    compute(kIterations);
    const double taken = now_ns() - start;
    if (taken < least) least = taken;
  }
  return least / kIterations;
}

long iterations_of(double ns) {
  static double one;
  if (ns <= 0) return 0;
  if (one == 0) one = heddle_machine_compute ? 1 : ns_per_iteration();
  const double iterations = ns / one;
  return iterations < 1 ? 1 : (long)(iterations + 0.5);
}
