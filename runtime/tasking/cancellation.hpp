// Cancellation of parallel regions, worksharing constructs and taskgroups (OpenMP 5.2, section 11.5
// "cancel").
//
// Words: a construct is *cancelled* once a thread has met cancel for it; threads notice at cancellation
// points, cancellable barriers, and when they ask for more iterations. A task of a cancelled taskgroup or
// region that has not started is *discarded*: it completes without its body. A detachable task is never
// discarded, since nobody could say then who fulfils its event. Invariant: with cancel-var false
// (OMP_CANCELLATION) nothing is ever cancelled.
#pragma once

#include "team/team.hpp"

namespace heddle {

enum class CancelConstruct { kParallel, kWorkshare, kTaskgroup };

/// Cancels the innermost construct of that kind. Returns whether it is cancelled: the thread goes to its end.
bool cancel(Member& me, CancelConstruct construct);

/// A cancellation point: whether the innermost construct of that kind is cancelled.
bool is_cancelled(const Member& me, CancelConstruct construct);

/// Whether a task that is about to start is cancelled.
bool is_task_cancelled(const Team& team, const Task& task);

/// Whether a task that is about to start is to be discarded.
/// Cost: a load where nothing was cancelled.
inline bool is_discarded(const Team& team, const Task& task) {
  return team.discards_tasks.load(std::memory_order_relaxed) && is_task_cancelled(team, task);
}

/// Tasks that start from now on are not discarded. Requires: as forget_cancellation().
void keep_tasks(Team& team);

/// Makes a team fit for its next region after a cancelled one, whose threads met different constructs.
/// Requires: no thread is in the region any more.
void forget_cancellation(Team& team);

}  // namespace heddle
