// Wall-clock time.
#pragma once

#include <chrono>

namespace heddle::amr {

[[nodiscard]] inline double wall_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// Seconds between moments.
class Stopwatch {
 public:
  /// Since the last lap, or since the beginning.
  double lap() {
    const double before = last_;
    last_ = wall_seconds();
    return last_ - before;
  }

 private:
  double last_ = wall_seconds();
};

}  // namespace heddle::amr
