// Tasks become ready: where they are queued, and who learns of it.
#pragma once

#include "team/team.hpp"

namespace heddle {

void make_ready(Member& me, Task& task);

/// The member that should run a task, since it has what the task works on at hand; this one where nobody has.
inline int home_of(const Member& me, const Task& task) {
  const HomeTable* const homes = me.team->homes.active();
  if (homes == nullptr || task.slot == HomeTable::kNoSlot) [[likely]]
    return me.number;
  const int home = homes->home_of(task.slot);
  return home >= 0 && home < me.team_size ? home : me.number;
}

/// HEDDLE_READY: whether all threads of a team share one queue of ready tasks, and take the oldest.
inline bool is_oldest_first() {
  return g_reasons.has(Reason::kOldestFirst);
}

/// Whether who completes a task may go on with one that has waited for it, and whether with this one.
inline bool takes_successors(const Member& me) {
  return !me.team->ready.has_urgent() && me.team->order == nullptr && !is_oldest_first();
}
inline bool may_succeed(const Member& me, const Task& next) {
  return next.priority == 0 && (next.flags & Task::kHasHandle) == 0 && home_of(me, next) == me.number;
}

}  // namespace heddle
