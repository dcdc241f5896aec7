// How many tasks may be queued, and how much memory incomplete ones may take (HEDDLE_THROTTLE).
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace heddle {

struct Throttle {
  static constexpr std::int64_t kHold = std::numeric_limits<std::int64_t>::max();

  // Enough for every thread of a large team to find work; more only costs memory and cache.
  std::int64_t tasks = 1024;
  // The same for producers that are tasks of tasks, in a recursion as a rule; see sched/cutoff.hpp.
  std::int64_t nested_tasks = 4;
  std::size_t bytes = std::size_t{64} << 20;
};

/// What holds now.
struct CurrentThrottle {
  std::atomic<std::int64_t> tasks{Throttle{}.tasks};
  std::atomic<std::int64_t> nested_tasks{Throttle{}.nested_tasks};
  std::atomic<std::size_t> bytes{Throttle{}.bytes};

  /// Whether the program leaves it to the runtime which tasks are queued.
  bool adapts() const {
    return nested_tasks.load(std::memory_order_relaxed) < tasks.load(std::memory_order_relaxed);
  }
};

}  // namespace heddle
