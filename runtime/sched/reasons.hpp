// What decides where tasks go before any rule does: because it says so of one member, of its team, or of the
// whole process. A member of a team has its own and the team's in one word; the process has another.
#pragma once

#include <cstdint>

#include "base/relaxed_atomic.hpp"

namespace heddle {

enum class Reason : std::uint32_t {
  kHold = 1,          // process: the program wants every task queued (HEDDLE_THROTTLE=hold)
  kFixed = 2,         // process: it says how many are queued; the runtime does not choose
  kMaySuspend = 4,    // process: what is executed on top of another task could not go on once it suspends
  kPollers = 8,       // process: they wait for tasks to end
  kChosenOrder = 16,  // team: HEDDLE_ORDER says which task comes next
  kOldestFirst = 32,  // process: HEDDLE_READY does
  kDiscards = 64,     // team: some tasks are to be discarded when their turn comes
  kRequest = 128,     // member: the program wants something of the next task
  kTool = 512,        // process: a tool observes each task, so that every task has a Task
  kLogged = 256,      // process: no reason, but decisions are counted (HEDDLE_LOG=policy)
};

constexpr std::uint32_t bit(Reason reason) {
  return static_cast<std::uint32_t>(reason);
}

/// Those under which the rules decide all the same.
inline constexpr std::uint32_t kRulesHold =
    bit(Reason::kFixed) | bit(Reason::kOldestFirst) | bit(Reason::kLogged);

class Reasons {
 public:
  std::uint32_t all() const { return bits_.load(); }
  void add(Reason reason) { bits_.fetch_or(bit(reason)); }
  bool has(Reason reason) const { return (all() & bit(reason)) != 0; }
  void remove(Reason reason) { bits_.fetch_and(~bit(reason)); }
  void set(Reason reason, bool holds) { holds ? add(reason) : remove(reason); }

 private:
  RelaxedAtomic<std::uint32_t> bits_{0};
};

/// The rules by which the runtime decides where tasks are executed, and when. Each can be switched off, to
/// measure what it is worth (HEDDLE_WITHOUT, 'heddle bench policy').
enum class Rule : std::uint32_t {
  kSerialCreation = 1,  // tasks too short to be shared run at their creation (sched/spawn_policy.hpp)
  kCutoff = 2,          // a recursion is cut off where few tasks are queued (sched/spawn_policy.hpp)
  kHelp = 4,            // a creator far ahead executes what is ready (SpawnPolicy::published())
  kSerialReplay = 8,    // one member executes a record where that is faster (sched/serial_replay_choice.hpp)
  kOverlap = 16,        // executions of a taskgraph overlap (replay/replay.hpp)
  kMessages = 32,  // a creator executes what a poller has made ready before it goes on (tasking/create.cpp)
  kLeapfrog = 64,  // a thread that waits in a task steals from those that help it (sched/ready_set.hpp)
};

constexpr std::uint32_t bit(Rule rule) {
  return static_cast<std::uint32_t>(rule);
}

}  // namespace heddle
