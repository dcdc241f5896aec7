// What a thread asks of the processor that it is on: to pause between two looks, and the time.
//
// The simulated machine has its own file of this name (machine/include/sys/processor.hpp).
#pragma once

#include <sched.h>
#include <cstdint>

#if !defined(__x86_64__) && !defined(__aarch64__)
#  include "sys/machine.hpp"
#endif

namespace heddle {

/// Between two looks of a thread that spins.
inline void cpu_relax() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#elif defined(__riscv)
  asm volatile(".insn i 0x0f, 0, x0, x0, 0x010");  // pause: no operation where a processor has none
#endif
}

inline void yield_cpu() {
  sched_yield();
}

// A clock for deciding how much to do before the next decision: cheap to read, and right within a factor of
// a few.

/// Time since some moment. Units: about ticks_per_us() to the microsecond; on x86 the true number is not
/// asked for, and lies between 1000 and 5000. Cost: under ten nanoseconds.
inline std::uint64_t ticks() {
#if defined(__x86_64__)
  return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
  std::uint64_t count;
  asm volatile("mrs %0, cntvct_el0" : "=r"(count));
  return count;
#else
  return static_cast<std::uint64_t>(monotonic_ns());
#endif
}

inline std::uint64_t ticks_per_us() {
#if defined(__x86_64__)
  return 2500;
#elif defined(__aarch64__)
  std::uint64_t frequency;
  asm("mrs %0, cntfrq_el0" : "=r"(frequency));
  return frequency >= 1000000 ? frequency / 1000000 : 1;
#else
  return 1000;
#endif
}

inline std::int64_t nanoseconds(std::uint64_t some_ticks) {
  return static_cast<std::int64_t>(some_ticks * 1000 / ticks_per_us());
}

/// For classes that take a clock as an argument.
struct TickClock {
  static std::uint64_t now() { return ticks(); }
  static std::uint64_t ticks_in(std::uint64_t ns) { return ns * ticks_per_us() / 1000; }
};

}  // namespace heddle
