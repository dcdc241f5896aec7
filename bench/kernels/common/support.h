// What the programs of the benchmark sets need: memory, time, a median, bodies of tasks, and a way out.
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { kCacheLine = 64 };

/// A number with a cache line to itself: tasks that write neighbours do not disturb each other.
typedef struct {
  uint32_t value;
} __attribute__((aligned(kCacheLine))) Cell;

/// The program's, in messages. Defined beside main().
extern const char program_name[];

/// Zeroed memory on a cache line. Errors: ends the program with status 2.
void* allocated(long count, long size_bytes);

/// Ends the program with status 2 and this line on standard error.
void refuse(const char* format, ...) __attribute__((noreturn, format(printf, 1, 2)));

/// Monotonic time.
double now_ns(void);

/// Sorts the values and returns the one in the middle, or the mean of the two. Requires: count is above 0.
double sorted_median(double* values, long count);

/// The simulated machine's (machine/include/heddle_machine.h): null on a real one.
__attribute__((weak)) void heddle_machine_compute(double ns);

/// A chain of multiplications, each waiting for the one before; no compiler shortens it. On the simulated
/// machine an iteration takes a nanosecond.
static inline void compute(long iterations) {
  if (heddle_machine_compute) {
    heddle_machine_compute((double)iterations);
    return;
  }
  uint64_t x = (uint64_t)iterations;
  for (long k = 0; k < iterations; ++k) {
    x = x * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    __asm__ volatile("" : "+r"(x));
  }
}

/// Mixes two numbers so that each bit, and the order of the two, matters.
static inline uint32_t mixed(uint32_t a, uint32_t b) {
  const uint32_t x = (a ^ (a >> 15)) * 2654435761u + b;
  return x ^ (x >> 13);
}

/// Iterations of compute() that take so long; at least 1 for any time above 0.
long iterations_of(double ns);

#ifdef __cplusplus
}
#endif
