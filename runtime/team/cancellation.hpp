// Cancellation of parallel regions, worksharing constructs and taskgroups (OpenMP 5.2, section 11.5
// "cancel").
//
// Words: a construct is *cancelled* once a thread has met cancel for it; threads notice at cancellation
// points, cancellable barriers, and when they ask for more iterations. A task of a cancelled taskgroup or
// region that has not started is *discarded*: it completes without its body. A detachable task is never
// discarded, since nobody could say then who fulfils its event. Invariant: with cancel-var false
// (OMP_CANCELLATION) nothing is ever cancelled.
#pragma once

namespace heddle {

struct Member;
struct Task;
struct Team;

enum class CancelConstruct { kParallel, kWorkshare, kTaskgroup };

/// Cancels the innermost construct of that kind. Returns whether it is cancelled: the thread goes to its end.
bool cancel(Member& me, CancelConstruct construct);

/// A cancellation point: whether the innermost construct of that kind is cancelled.
bool is_cancelled(const Member& me, CancelConstruct construct);

/// Whether a task that is about to start is to be discarded.
bool is_discarded(const Team& team, const Task& task);

/// Makes a team fit for its next region after a cancelled one, whose threads met different constructs.
/// Requires: no thread is in the region any more.
void forget_cancellation(Team& team);

}  // namespace heddle
