// Constructs that wait for tasks, taskwait and taskgroup, and taskyield.
#pragma once

#include <span>

#include "deps/access.hpp"
#include "team/team.hpp"
#include "trace/observer.hpp"

namespace heddle {

/// Waits for the children of the current task (OpenMP 5.2, section 15.5).
void taskwait(Member& me);

/// Waits for those siblings-to-be that the dependences name.
void taskwait_depend(Member& me, std::span<const Dependence> dependences, CallSite where = {});

/// Opens and closes a taskgroup region; closing waits for all tasks created in it and their descendants.
void taskgroup_begin(Member& me);
/// The same for a construct with reduction(task, ...), whose group is no taskgroup of the program.
void taskgroup_begin_of_construct(Member& me);
void taskgroup_end(Member& me);

/// Waits for the tasks of a group and their descendants.
void wait_for_group(Member& me, TaskGroup& group);

/// Lets others have a turn: the ready task that has waited longest, then suspended ones that may go on, then
/// those that yielded before; the current task goes on behind those. Without any it returns at once.
void taskyield(Member& me);

}  // namespace heddle
