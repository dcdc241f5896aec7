// Handles of tasks: starting one out of turn (heddle_run_task()).
//
// Words: who starts a task that has a handle *claims* it first; the entry that a queue then still has of it
// is *stale*. Invariant: a task with a handle stands in a queue exactly once, from when it is ready; the
// handle and the queue each hold a reference to it.
#pragma once

#include "task/task_request.hpp"
#include "team/team.hpp"

namespace heddle {

/// The member requests something, on top of what it has requested already.
void request(Member& me, const TaskRequest& more);

/// Gives a task that is about to be submitted what the member requested, and forgets the request.
void apply_request(Member& me, Task& task);
/// Forgets it.
TaskRequest take_request(Member& me);

enum class RunNow { kDone, kStarted, kNotReady };

/// Executes a task with a handle on the calling thread, unless it has started or is not ready. Gives the
/// handle back in all cases but kNotReady.
RunNow run_task_now(Member& me, Task& task);

void give_handle_back(Member& me, Task& task);

}  // namespace heddle
