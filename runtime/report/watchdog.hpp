// The watchdog: tells what everybody waits for when nothing has progressed for some time (HEDDLE_WATCHDOG).
//
// Words: *progress* is a task created or complete, a barrier passed, a suspended task gone on. While the
// watchdog is on, whoever waits leaves a *trace* of where, and locks (lock_owners.hpp) and detached tasks are
// noted: without it nobody pays for that. Invariant: what is noted is a report's alone; nothing is decided by
// it.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "task/task.hpp"

namespace heddle {

struct Member;

extern constinit std::atomic<bool> g_has_watchdog;

inline bool has_watchdog() {
  return g_has_watchdog.load(std::memory_order_relaxed);
}

/// Starts it where HEDDLE_WATCHDOG asks for it.
void start_watchdog();

/// Where a wait began.
struct Trace {
  static constexpr int kFrames = 14;
  void take();
  bool is_empty() const { return count.load(std::memory_order_acquire) == 0; }

  std::array<void*, kFrames> frames;  // NOLINT: valid as far as count says
  std::atomic<int> count{0};
};

// -- notes, while the watchdog is on

/// Tasks whose body has returned and whose event is not fulfilled.
void note_detached(const Task& task);
void forget_detached(const Task& task);
std::vector<const Task*> noted_detached();

}  // namespace heddle
