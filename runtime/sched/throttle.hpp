// How many tasks may be queued, and how much memory incomplete ones may take (HEDDLE_THROTTLE).
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

#include "base/relaxed_atomic.hpp"
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
  RelaxedAtomic<std::int64_t> tasks{Throttle{}.tasks};
  RelaxedAtomic<std::int64_t> nested_tasks{Throttle{}.nested_tasks};
  RelaxedAtomic<std::size_t> bytes{Throttle{}.bytes};
};

}  // namespace heddle
