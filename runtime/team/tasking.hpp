// The life of a task in a team: created, made ready, executed, complete; and the constructs that wait for
// tasks.
//
// Words: see task/task.hpp. A task is *submitted* by its creator and *completed* by whoever ends it, which
// for a detachable task may be a thread outside the team. Invariant: of the counters that a barrier compares,
// tasks_created is raised before a task can run, tasks_finished after everything that its completion touches.
#pragma once

#include <cstddef>
#include <span>

#include "deps/access.hpp"
#include "task/task.hpp"
#include "team/team.hpp"

namespace heddle {

/// A task that is to be a child of the current one, with payload_bytes behind it. Flags as Task::Flag.
/// Ensures: data environment and finality are inherited; body, code, data and priority are the caller's to
/// set. body_code: what the compiler made of the task's body, for logs.
Task& new_task(Member& me, std::size_t payload_bytes, unsigned flags, const void* body_code = nullptr);

/// Publishes a task with its dependences. It runs when they are satisfied, here and now if too many are
/// queued. Ensures: ownership passes on; do not touch the task afterwards.
void submit(Member& me, Task& task, std::span<const Dependence> dependences);

/// Whether a task that may be deferred should rather be executed at once by its creator: it is alone in its
/// team, or has enough tasks queued. Such a task needs no dependences, since those before it are complete.
bool runs_at_once(Member& me, bool has_dependences);

/// An undeferred task is executed between these two by the thread that creates it.
/// begin waits for the dependences and makes the task the current one; end completes it.
void begin_undeferred(Member& me, Task& task, std::span<const Dependence> dependences);
void end_undeferred(Member& me, Task& task);

/// Waits for the children of the current task (OpenMP 5.2, section 15.5).
void taskwait(Member& me);

/// Waits for those siblings-to-be that the dependences name.
void taskwait_depend(Member& me, std::span<const Dependence> dependences);

/// Opens and closes a taskgroup region; closing waits for all tasks created in it and their descendants.
void taskgroup_begin(Member& me);
void taskgroup_end(Member& me);

/// Executes one ready task, if there is one that may run here.
void taskyield(Member& me);

/// Fulfils the event of a detachable task; from any thread (OpenMP 5.2, section 18.11.1).
void fulfill_event(Task& task);

// -- for waits (task_wait.hpp)
// -----------------------------------------------------------------------------------------

/// A task to execute here, or nullptr. Announces completions before it looks beyond the member's own queue.
/// A patient look may leave single tasks of other members where they are for a moment (StealPatience).
enum class Look { kPatient, kLast };
Task* find_task(Member& me, Look look = Look::kPatient);

/// Tells parents and taskgroups of the completions that this member has gathered. A member gathers while it
/// executes one task after another of the same parent: whoever waits for one of them waits for the next, too.
void announce_completions(Member& me);

/// Executes a task. Returns a task that the caller should run next, or nullptr: one that this made ready, or
/// the same again where its body has more parts.
Task* execute(Member& me, Task& task);
void make_ready(Member& me, Task& task);

/// Drops what the current implicit task knows of its children's dependences, at the end of a region.
void forget_dependences(Member& me, Task& task);

}  // namespace heddle
