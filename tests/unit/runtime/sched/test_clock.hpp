// A clock that stands still until a test moves it, for what takes its clock as an argument.
#pragma once

#include <cstdint>

namespace heddle {

/// A tick is a nanosecond.
struct TestClock {
  static inline std::uint64_t time = 0;
  static std::uint64_t now() { return time; }
  static std::uint64_t ticks_in(std::uint64_t ns) { return ns; }
};

inline void pass_ns(std::uint64_t ns) {
  TestClock::time += ns;
}

}  // namespace heddle
