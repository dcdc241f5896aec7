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
