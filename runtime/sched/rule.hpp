// The rules by which the runtime decides where tasks are executed, and when: each can be switched off, to
// measure what it is worth (HEDDLE_WITHOUT, 'heddle bench policy').
#pragma once

#include <cstdint>

namespace heddle {

enum class Rule : std::uint32_t {
  kAlone = 1,      // tasks that are too short to be shared are executed at their creation (sched/alone.hpp)
  kRecursion = 2,  // a recursion is cut off where few tasks are queued (sched/cutoff.hpp)
  kHelp = 4,       // a creator far ahead executes what is ready (SpawnPolicy::published())
  kInTurn = 8,     // a record is executed by one member where that is faster (sched/in_turn_choice.hpp)
  kOverlap = 16,   // executions of a taskgraph overlap (graph/overlap.hpp)
  kArrived = 32,   // a creator goes on when what a poller made ready has been executed (tasking/create.cpp)
  kLeapfrog = 64,  // who waits in a task steals from those who help it (sched/ready_set.hpp)
};

constexpr std::uint32_t bit(Rule rule) {
  return static_cast<std::uint32_t>(rule);
}

}  // namespace heddle
