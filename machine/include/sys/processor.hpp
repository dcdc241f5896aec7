// What runtime/sys/processor.hpp has, on the simulated machine.
#pragma once

#include <sched.h>
#include <cstdint>

#include "heddle_machine.h"

namespace heddle {

inline void cpu_relax() {
  heddle_machine_pause();
}

inline void yield_cpu() {
  sched_yield();
}

inline std::uint64_t ticks() {
  return heddle_machine_ticks();
}
inline std::uint64_t ticks_per_us() {
  return 1000;
}
inline std::int64_t nanoseconds(std::uint64_t some_ticks) {
  return static_cast<std::int64_t>(some_ticks);
}

struct TickClock {
  static std::uint64_t now() { return ticks(); }
  static std::uint64_t ticks_in(std::uint64_t ns) { return ns; }
};

}  // namespace heddle
