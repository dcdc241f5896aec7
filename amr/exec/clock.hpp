// Wall-clock time.
#pragma once

#include <chrono>

namespace heddle::amr {

[[nodiscard]] inline double wall_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace heddle::amr
