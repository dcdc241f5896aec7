// How far producers may run ahead of those who execute their tasks (HEDDLE_THROTTLE, heddle_set_throttle()).
//
// Words: a producer that has too many tasks *queued* executes the next one itself, at its creation; one whose
// incomplete tasks take too much *memory* executes others, or waits while others get on. Invariant: neither
// ends a program's progress: a producer that would wait while nobody gets on goes on producing.
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

/// What the environment says.
Throttle initial_throttle();

void set_throttle(const Throttle& wanted);

/// What holds now: read at every creation of a task.
struct CurrentThrottle {
  std::atomic<std::int64_t> tasks{Throttle{}.tasks};
  std::atomic<std::int64_t> nested_tasks{Throttle{}.nested_tasks};
  std::atomic<std::size_t> bytes{Throttle{}.bytes};

  /// Whether the program leaves it to the runtime which tasks are queued.
  bool adapts() const {
    return nested_tasks.load(std::memory_order_relaxed) < tasks.load(std::memory_order_relaxed);
  }
};
extern CurrentThrottle g_throttle;

struct Member;

/// Called by a producer whose tasks take more than me.hold_at bytes.
void hold_back(Member& me);

}  // namespace heddle
