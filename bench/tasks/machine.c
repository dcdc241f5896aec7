// What the kernels ask of the machine: time, memory, and how fast compute() runs.
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tasks.h"

uint32_t* slots;

void prepare_slots(void) {
  slots = allocated(work.tasks, sizeof *slots);
}

void reset_slots(void) {
  memset(slots, 0, (size_t)work.tasks * sizeof *slots);
}

bool every_slot_is_one(void) {
  for (long i = 0; i < work.tasks; ++i) {
    if (slots[i] != 1) return false;
  }
  return true;
}

void finish_slots(void) {
  free(slots);
  slots = NULL;
}

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
  fputs("tasks: ", stderr);
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
  if (one == 0) one = ns_per_iteration();
  const double iterations = ns / one;
  return iterations < 1 ? 1 : (long)(iterations + 0.5);
}

static long status_bytes(const char* field) {
  FILE* status = fopen("/proc/self/status", "r");
  if (status == NULL) return 0;
  const size_t length = strlen(field);
  long kib = 0;
  for (char line[256]; fgets(line, sizeof line, status) != NULL;) {
    if (strncmp(line, field, length) == 0 && line[length] == ':') kib = atol(line + length + 1);
  }
  fclose(status);
  return kib * 1024;
}

long resident_bytes(void) {
  return status_bytes("VmRSS");
}

long peak_resident_bytes(void) {
  return status_bytes("VmHWM");
}
