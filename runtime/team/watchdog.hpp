// The watchdog: tells what everybody waits for when nothing has progressed for some time (HEDDLE_WATCHDOG).
//
// Words: *progress* is a task created or complete, a barrier passed, a suspended task gone on. While the
// watchdog is on, whoever waits leaves a *trace* of where, and locks and detached tasks are noted: without it
// nobody pays for that. Invariant: what is noted is a report's alone; nothing is decided by it.
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
  void clear() { count.store(0, std::memory_order_release); }

  std::array<void*, kFrames> frames;  // NOLINT: valid as far as count says
  std::atomic<int> count{0};
};

// -- notes, while the watchdog is on

struct LockOwner {
  const void* lock;
  const Task* task;  // of whom; may be gone by now
  const void* where;
};
void note_lock(const void* lock, const Task* owner, const void* where);
void forget_lock(const void* lock);
std::vector<LockOwner> noted_locks();

/// Tasks whose body has returned and whose event is not fulfilled.
void note_detached(const Task& task);
void forget_detached(const Task& task);
std::vector<const Task*> noted_detached();

}  // namespace heddle
