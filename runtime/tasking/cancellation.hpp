// Cancellation of parallel regions, worksharing constructs and taskgroups (OpenMP 5.2, section 11.5
// "cancel").
//
// Words: a construct is *cancelled* once a thread has met cancel for it; threads notice at cancellation
// points, cancellable barriers, and when they ask for more iterations. A task of a cancelled taskgroup or
// region that has not started is *discarded*: it completes without its body. A detachable task is never
// discarded, since nothing would fulfil its event then. Invariant: with cancel-var false
// (OMP_CANCELLATION) nothing is ever cancelled.
#pragma once

#include "team/team.hpp"

namespace heddle {

enum class CancelConstruct { kParallel, kWorkshare, kTaskgroup };

/// Cancels the innermost construct of that kind. Returns whether it is cancelled: the thread goes to its end.
bool cancel(Member& me, CancelConstruct construct);

/// A cancellation point: whether the innermost construct of that kind is cancelled.
bool is_cancelled(const Member& me, CancelConstruct construct);

/// Which worksharing construct of its region the member is in. All members count alike, since all meet the
/// same barriers and the same constructs; a loop that shares nothing is told from one before it, which some
/// may still be in, by that. So nobody has to take a cancellation back: it holds for one number.
inline std::uint64_t workshare_number(const Member& me) {
  const LoopState& loop = me.loop;
  return std::uint64_t{loop.barriers} << 32 | (loop.turn << 1 & 0xfffffffe) |
         (loop.shared != nullptr ? 1u : 0u);
}

/// Whether that construct is cancelled. Cost: a load where nothing was.
inline bool is_workshare_cancelled(const Member& me) {
  const std::uint64_t cancelled = me.team->cancelled_workshare.seen();
  return cancelled != Team::kNoWorkshare && cancelled == workshare_number(me);
}

/// Whether a task that is about to start is cancelled.
bool is_task_cancelled(const Team& team, const Task& task);

/// Whether a task that is about to start is to be discarded.
/// Cost: a load where nothing was cancelled.
inline bool is_discarded(const Team& team, const Task& task) {
  return team.discards_tasks.load() && is_task_cancelled(team, task);
}

/// Tasks that start from now on are not discarded. Requires: as forget_cancellation().
void keep_tasks(Team& team);

/// Makes a team fit for its next region after a cancelled one, whose threads met different constructs.
/// Requires: no thread is in the region any more.
void forget_cancellation(Team& team);

}  // namespace heddle
