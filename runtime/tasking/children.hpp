// The children of the current task: they come into being, are counted, and their dependences are known.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/relaxed_atomic.hpp"
#include "deps/dependence_table.hpp"
#include "team/team.hpp"

namespace heddle {

/// A task that is to be a child of the current one, with payload_bytes behind it. Flags as Task::Flag.
/// Ensures: data environment and finality are inherited; body, code, data and priority are the caller's to
/// set. body_code: what the compiler made of the task's body, for logs.
Task& new_task(Member& me, std::size_t payload_bytes, unsigned flags, const void* body_code = nullptr);

/// What waits for new tasks, their parent aside, learns of them. group: theirs, or null.
inline void count_created(Member& me, TaskGroup* group, std::uint32_t count) {
  for (; group != nullptr; group = group->also) group->outstanding.add(count);
  me.tasks.add_created(count);
  RelaxedAtomic<bool>& has_tasks = me.team->has_tasks;
  if (!has_tasks.load()) has_tasks.store(true);
}

/// A task that was executed at its creation, and that nobody counted, is a child like any other from now on.
/// Requires: its parent has not gone on, and so is in the group that the task is in.
inline void count_late(Member& me, Task& task) {
  task.parent->child_created();
  count_created(me, task.parent->group, 1);
}

/// What the current task knows of its children's dependences; made at its first child with dependences.
DependenceTable& table_of(Member& me, Task& task);

/// Drops it: at the end of the task, or of the region whose implicit task it is.
void forget_dependences(Member& me, Task& task);

}  // namespace heddle
