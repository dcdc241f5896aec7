// A creator whose tasks are too short to be shared begins to execute each at its creation
// (sched/tiny_tasks.hpp).
#pragma once

#include "tasking/at_once.hpp"
#include "team/team.hpp"

namespace heddle {

/// Whether that is faster than to share them.
inline bool is_alone_better(const Member& me) {
  return me.current->depth < kNested && may_leave_unshared(me) &&
         me.team->tiny_votes.load(std::memory_order_relaxed) == TinyTasks::kSure;
}

/// Where me.tiny.is_due().
[[gnu::cold]] void try_alone(Member& me);

}  // namespace heddle
