// What happens when a task is complete: successors are released and become ready, its parent and its
// taskgroup learn it, its memory is freed.
#pragma once

#include <cstdint>

#include "team/team.hpp"

namespace heddle {

/// A task waits for nothing any more: it is queued, and a thread that looks for one learns of it.
void make_ready(Member& me, Task& task);
/// The same of `count` tasks that `member` is to execute, linked by `next` from the youngest to the oldest.
/// Requires: their priority is 0, nobody has a handle of one, and no order is chosen, nor the oldest first;
/// count <= limits::kMostInInbox.
void make_ready_for(Member& me, int member, Task& youngest, Task& oldest, std::uint32_t count);

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

/// Whether the thread that completes a task may go on with one that has waited for it, and whether with this
/// one.
inline bool takes_successors(const Member& me) {
  return !me.team->ready.has_urgent() && me.team->order == nullptr && !is_oldest_first();
}
inline bool may_succeed(const Member& me, const Task& next) {
  return next.priority == 0 && (next.flags & Task::kHasHandle) == 0 && home_of(me, next) == me.number;
}

// Where a task is completed: by a member of its team, or from outside.
struct Completion {
  Team& team;
  MemoryCache& cache;
  Member* member;          // null outside
  Task* relays = nullptr;  // that are complete (transparent.hpp), and whose successors do not know yet
};

/// Completes a task whose body has returned and whose event is fulfilled; it may be gone afterwards.
/// Returns a task that the completing member should run next, or nullptr.
Task* complete(Completion& where, Task& task);

/// The same of a relay that waits for nothing more (transparent.hpp).
Task* complete_relay(Completion& where, Task& relay);

/// Ends an undeferred task whose body has returned: its parent counts it as no child.
void leave_undeferred(Member& me, Task& task);

/// Tells parents and taskgroups of the completions that this member has gathered. A member gathers while it
/// executes one task after another of the same parent: a thread that waits for one of them waits for the
/// next, too.
void announce_completions(Member& me);

/// Frees the memory of a task that nobody needs any more, and of the ancestors that only it has retained.
/// Threads: the owner of `cache`.
void release_task(Task& task, MemoryCache& cache);

/// The taskgroup that the task was created in, or nullptr.
inline TaskGroup* group_of(const Task& task) {
  return (task.flags & Task::kInGroup) != 0 ? task.group : nullptr;
}

}  // namespace heddle
