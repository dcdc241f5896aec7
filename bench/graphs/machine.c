// What the kernels ask of the machine: memory, time, and a way out.
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "graphs.h"

void require_grain(long most) {
  if (work.grain > most)
    refuse("--grain %ld: --size %ld has %ld pieces at most", work.grain, work.size, most);
}

void* allocated(long count, long size_bytes) {
  enum { kCacheLine = 64 };
  const size_t bytes = ((size_t)count * (size_t)size_bytes + kCacheLine - 1) / kCacheLine * kCacheLine;
  void* memory = aligned_alloc(kCacheLine, bytes);
  if (memory == NULL) refuse("there is no memory for %ld times %ld bytes", count, size_bytes);
  memset(memory, 0, bytes);
  return memory;
}

void refuse(const char* format, ...) {
  va_list words;
  va_start(words, format);
  fputs("graphs: ", stderr);
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
