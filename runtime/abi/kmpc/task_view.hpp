// Making and running tasks in the form that Clang's code expects.
#pragma once

#include <span>

#include "abi/kmpc/kmpc.hpp"

namespace heddle::kmpc {

/// Body of a compiled task.
void run_compiled(Task& task);

/// A task with `view_bytes` for the TaskView and its privates, and room for the shared variables' addresses
/// behind. task.data holds view_bytes, which taskloop needs to copy the view.
TaskView* new_compiled_task(Member& me, std::int32_t flags, std::size_t view_bytes, std::size_t shareds_bytes,
                            std::int32_t (*routine)(Gtid, TaskView*));

/// Executes the task here and now, and the second half of that: the remaining parts, destructors, completion.
void run_undeferred(Member& me, TaskView* view, std::span<const Dependence> dependences);
void finish_undeferred(Member& me, Task& task);

void submit_compiled(Member& me, TaskView* view, std::span<const Dependence> dependences);

/// Ends the current taskgroup and combines its reductions.
void end_taskgroup(Member& me);

}  // namespace heddle::kmpc
