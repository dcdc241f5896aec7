// The life of a task in a team begins: it is created, published, and made ready.
//
// Words: see task/task.hpp. A task is *submitted* by its creator and *completed* by whoever ends it, which
// for a detachable task may be a thread outside the team. Invariant: of the counters that a barrier compares,
// tasks_created is raised before a task can run, or leave the thread that executes it at its creation;
// tasks_finished after everything that its completion touches.
#pragma once

#include <span>

#include "deps/access.hpp"
#include "tasking/new_task.hpp"
#include "team/team.hpp"

namespace heddle {

/// Publishes a task with its dependences. It runs when they are satisfied, here and now if too many are
/// queued. is_placed: that was asked before. Ensures: ownership passes on; do not touch the task afterwards.
void submit(Member& me, Task& task, std::span<const Dependence> dependences, bool is_placed = false);

/// Publishes a task without dependences as a child of the current task's parent, which the current task, an
/// explicit one, thereby keeps incomplete. It is queued in any case. Ensures: as submit().
void submit_sibling(Member& me, Task& task);

}  // namespace heddle
