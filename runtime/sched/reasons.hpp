// Why a member queues every task that it creates, although it might execute it at once.
//
// Words: a reason holds for one member, for all members of a team, which then each have it, or for the whole
// process. Who creates a task looks at two words.
#pragma once

#include <atomic>
#include <cstdint>

namespace heddle {

enum class Reason : std::uint32_t {
  kHold = 1,         // process: the program says how many tasks are queued at least (HEDDLE_THROTTLE)
  kMaySuspend = 2,   // process: what is executed on top of another task could not go on once it suspends
  kPollers = 4,      // process: they wait for tasks to end
  kChosenOrder = 8,  // team: HEDDLE_ORDER says which task comes next
  kDiscards = 16,    // team: some tasks are to be discarded when their turn comes
  kRequest = 32,     // member: the program wants something of the next task
};

class Reasons {
 public:
  std::uint32_t all() const { return bits_.load(std::memory_order_relaxed); }
  bool has(Reason reason) const { return (all() & static_cast<std::uint32_t>(reason)) != 0; }
  void add(Reason reason) { bits_.fetch_or(static_cast<std::uint32_t>(reason), std::memory_order_relaxed); }
  void remove(Reason reason) {
    bits_.fetch_and(~static_cast<std::uint32_t>(reason), std::memory_order_relaxed);
  }

 private:
  std::atomic<std::uint32_t> bits_{0};
};

}  // namespace heddle
