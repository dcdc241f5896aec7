// Finding tasks and executing them.
#pragma once

#include "suspend/suspension.hpp"
#include "task/task.hpp"
#include "tasking/complete.hpp"
#include "team/team.hpp"

namespace heddle {

/// A task to execute here, or nullptr. Announces completions before it looks beyond the member's own queue.
/// The last look before something else goes on behind tasks that the member may not start; one elsewhere
/// does, too, and does not begin with the member's own. That one, and one in the foreground, take no
/// background task. A first look leaves others what it may not start, as far as it knows; one at anybody's
/// moves one of each, to see.
enum class Look { kFirst, kAnybody, kLast, kElsewhere, kForeground };
Task* find_task(Member& me, Look look = Look::kFirst);

/// Executes a task. Returns a task that the caller should run next, or nullptr: one that this made ready, or
/// the same again where its body has more parts.
Task* execute(Member& me, Task& task);
/// The same where no queue has an entry of the task.
Task* execute_claimed(Member& me, Task& task);
/// What execute_claimed() does once the body has returned: ends the task, or leaves it to the thread that
/// fulfils its event.
Task* end_body(Member& me, Task& task);
/// Executes a task and, one after the other, what each makes ready for this member, until stop() holds.
template <class Stop>
void execute_chain(Member& me, Task& first, Stop&& stop) {
  for (Task* task = execute(me, first); task != nullptr; task = execute(me, *task)) {
    if (!may_start(*task, me.rule()) || stop()) {
      make_ready(me, *task);
      return;
    }
  }
}

/// The same in the middle of another task: on a stack of its own where tasks may suspend, so that the other
/// one can go on then.
template <class Stop>
void execute_meanwhile(Member& me, Task& first, Stop&& stop) {
  if (may_suspend()) [[unlikely]]
    run_on_own_stack(me, first);
  else
    execute_chain(me, first, stop);
}

/// Executes a task that no queue has, or of which the caller has claimed the start (below), in the
/// middle of another.
void run_claimed(Member& me, Task& task);

/// The current task of a team whose order is chosen (sched/chosen_order.hpp) has come to a point where it can
/// go on: other tasks may be executed before it does. Returns whether one was.
bool scheduling_point(Member& me);

// -- tasks with a handle, which may be started out of turn (heddle_run_task())
//
// A thread that starts a task with a handle *claims* it first; the entry that a queue then still has of it is
// *stale*. Invariant: a task with a handle stands in a queue exactly once, from when it is ready; the handle
// and the queue each hold a reference to it.

enum class RunNow { kDone, kStarted, kNotReady };

/// Executes a task with a handle on the calling thread, unless it has started or is not ready. Gives the
/// handle back in all cases but kNotReady.
RunNow run_task_now(Member& me, Task& task);

void give_handle_back(Member& me, Task& task);

}  // namespace heddle
