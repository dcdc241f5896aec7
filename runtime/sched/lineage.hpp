// From which tasks what a worker has queued descends: as far as it takes to find work under a constraint.
//
// Words: a worker that waits in a task, and has stolen a descendant of it, is one *level* higher while it
// executes that, and so on. What it queues on a level descends from the parent of what it has stolen there,
// and so on down. It has nothing queued when it looks elsewhere: so all that it has is of its highest level.
// That is not all: what came with a stolen task may have another parent, an event may make any task ready
// here, and a task that does not wait for its children leaves them to an ancestor that nobody knows of.
// Source of the idea: Wagner and Calder, "Leapfrogging: a portable technique for implementing efficient
// futures", PPoPP 1993.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "base/cache_line.hpp"
#include "base/relaxed_atomic.hpp"

namespace heddle {

struct Task;

/// Of one worker. Other workers read it while it changes, so it is a hint; they compare the tasks and do not
/// look at them, since those may be gone.
class alignas(kCacheLine) Lineage {
 public:
  /// Levels that it keeps; the last of them stands for all higher ones.
  static constexpr int kLevels = 5;
  static constexpr int kNone = -1;

  /// Where a stolen task comes from: the worker that had queued it, and on which level of that.
  struct Origin {
    std::int16_t worker = kNone;
    std::int16_t level = kNone;
  };

  // -- the worker's own

  /// It looks for a task while it waits in `constraint`, or is free (null): what it had stolen meanwhile is
  /// complete.
  void end_levels_above(const Task* constraint) {
    const int level = level_under(constraint);
    if (level < levels_.load()) levels_.store(level);
  }

  /// It has stolen a child of `parent` while it waits in `constraint`.
  void begin_level(const Task* constraint, const Task* parent, Origin origin) {
    const int at = std::min(level_under(constraint), kLevels - 1);
    const auto level = static_cast<std::size_t>(at);
    constraints_[level] = constraint;
    parents_[level].store(parent);
    origins_[level].store(origin);
    levels_.store(at + 1);
  }

  // -- any thread's

  /// The highest; kNone: it has stolen nothing.
  int level() const { return levels_.load() - 1; }
  /// Whether what it has queued on this level descends from `task` because of that level or one below.
  bool descends_from(const Task& task, int level) const {
    for (; level >= 0; --level)
      if (parents_[static_cast<std::size_t>(level)].load() == &task) return true;
    return false;
  }
  Origin origin(int level) const { return origins_[static_cast<std::size_t>(level)].load(); }

 private:
  int level_under(const Task* constraint) const {
    if (constraint == nullptr) return 0;
    int level = 0;
    while (level < levels_.load() && constraints_[static_cast<std::size_t>(level)] != constraint) ++level;
    return level;
  }

  std::array<RelaxedAtomic<const Task*>, kLevels> parents_{};
  std::array<RelaxedAtomic<Origin>, kLevels> origins_{};
  RelaxedAtomic<int> levels_{0};
  std::array<const Task*, kLevels> constraints_{};  // the worker's own
};

}  // namespace heddle
