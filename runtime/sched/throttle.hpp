// How many tasks may be queued, and how much memory incomplete ones may take (HEDDLE_THROTTLE).
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "sched/limits.hpp"

namespace heddle {

struct Throttle {
  static constexpr std::int64_t kHold = std::numeric_limits<std::int64_t>::max();

  std::int64_t tasks = limits::kQueued;
  std::int64_t nested_tasks = limits::kQueuedInRecursion;
  std::size_t bytes = std::size_t{64} << 20;

  /// Whether the program leaves it to the runtime which tasks are queued.
  bool adapts() const { return nested_tasks < tasks; }
};

/// What holds now.
struct CurrentThrottle {
  std::atomic<std::int64_t> tasks{Throttle{}.tasks};
  std::atomic<std::int64_t> nested_tasks{Throttle{}.nested_tasks};
  std::atomic<std::size_t> bytes{Throttle{}.bytes};
};

}  // namespace heddle
