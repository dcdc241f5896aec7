// What happens when a task is complete: successors are released, its parent and its taskgroup learn it, its
// memory is freed.
#pragma once

#include "team/team.hpp"

namespace heddle {

// Where a task is completed: by a member of its team, or from outside.
struct Completion {
  Team& team;
  MemoryCache& cache;
  Member* member;  // null outside
};

/// Completes a task whose body has returned and whose event is fulfilled; it may be gone afterwards.
/// Returns a task that the completing member should run next, or nullptr.
Task* complete(Completion& where, Task& task);

/// Ends an undeferred task whose body has returned: its parent counts it as no child.
void leave_undeferred(Member& me, Task& task);

/// Tells parents and taskgroups of the completions that this member has gathered. A member gathers while it
/// executes one task after another of the same parent: whoever waits for one of them waits for the next, too.
void announce_completions(Member& me);

/// The taskgroup that the task was created in, or nullptr.
inline TaskGroup* group_of(const Task& task) {
  return (task.flags & Task::kInGroup) != 0 ? task.group : nullptr;
}

}  // namespace heddle
