// A creator whose tasks are too short to be shared begins to execute each at its creation
// (sched/alone.hpp).
#pragma once

#include "tasking/placing.hpp"
#include "team/team.hpp"

namespace heddle {

/// Whether that is faster than to share them.
inline bool is_alone_better(const Member& me) {
  return me.context.task->depth < limits::kRecursion && may_leave_unshared(me) &&
         me.team->short_tasks.are_short();
}

/// Where Next::kTryAlone.
[[gnu::cold]] void try_alone(Member& me);

}  // namespace heddle
