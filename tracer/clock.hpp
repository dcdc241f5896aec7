// The clock of the records: the processor's own counter where it counts evenly on all cores, else
// CLOCK_MONOTONIC in nanoseconds. Cost on x86-64: 8 ns, 20 ns.
#pragma once

#include <time.h>

#include <cstdint>

#include "tracer/format.hpp"

#if defined(__x86_64__)
#  include <cpuid.h>
#  include <x86intrin.h>
#endif

namespace heddle::tracer {

inline std::uint64_t monotonic_ns() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000U + static_cast<std::uint64_t>(now.tv_nsec);
}

inline std::uint64_t unix_ns() {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000U + static_cast<std::uint64_t>(now.tv_nsec);
}

/// Whether the processor's counter is one clock for all cores, whatever their frequency.
inline bool has_even_counter() {
#if defined(__x86_64__)
  unsigned a = 0, b = 0, c = 0, d = 0;
  return __get_cpuid(0x80000007U, &a, &b, &c, &d) != 0 && (d & (1U << 8U)) != 0;  // "invariant TSC"
#elif defined(__aarch64__)
  return true;  // Arm Architecture Reference Manual, "The Generic Timer": one counter for the whole system
#else
  return false;
#endif
}

extern const bool g_has_even_counter;

inline std::uint64_t ticks() {
#if defined(__aarch64__)
  std::uint64_t count;
  asm volatile("mrs %0, cntvct_el0" : "=r"(count));
  return count;
#else
#  if defined(__x86_64__)
  if (g_has_even_counter) [[likely]]
    return __rdtsc();
#  endif
  return monotonic_ns();
#endif
}

/// The same, no earlier than all that this thread has done and seen before: a processor may read its counter
/// while it still waits for memory, a lock among it. Cost: 10 ns more.
inline std::uint64_t ticks_from_here_on() {
#if defined(__x86_64__)
  _mm_lfence();
#elif defined(__aarch64__)
  asm volatile("isb" ::: "memory");
#endif
  return ticks();
}

/// Both clocks at one moment, as well as can be had: the read of one that took the shortest.
ClockPair read_both_clocks();

/// When this library was loaded: before main(), where it is preloaded.
extern const ClockPair g_loaded;
/// Whether the calling thread has loaded this library.
bool is_loading_thread();

}  // namespace heddle::tracer
