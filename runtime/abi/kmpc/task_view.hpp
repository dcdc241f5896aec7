// Making and running tasks in the form that Clang's code expects.
#pragma once

#include <span>

#include "abi/kmpc/kmpc.hpp"

namespace heddle::kmpc {

/// How a view lies in memory, behind its Task or elsewhere: the view with its privates, then the shared
/// variables' addresses.
struct ViewLayout {
  std::size_t view_bytes, shareds_bytes;

  std::size_t shareds_at() const { return (view_bytes + 15) / 16 * 16; }
  std::size_t bytes() const { return shareds_at() + shareds_bytes; }
};

ViewLayout layout_of(const Task& task);

/// What the task's priority clause says, as far as max-task-priority-var lets it.
std::int32_t priority_of(const TaskView& view);

/// Makes a view whose bytes have been copied name its own list of shared variables' addresses. Bodies only
/// read that.
void keep_shareds(TaskView* copy, const ViewLayout& layout);
/// Makes `to`, memory of that layout, a copy of the view `from`, with addresses of shared variables of its
/// own.
void copy_view(TaskView* to, const TaskView* from, const ViewLayout& layout);

/// What follows a task's routine, which few tasks have: Task::code names it, or is null.
struct Ending {
  bool waits;     // for its children: it is transparent
  bool destroys;  // objects that it has captured, by the program's function
};
inline bool destroys(const Task& task) {
  return task.code != nullptr && static_cast<const Ending*>(task.code)->destroys;
}
/// What a transparent task's children name in their dependences is ordered with what its siblings name
/// (OpenMP 6.0). Here it stands for all of them: it is ordered with all siblings that have dependences, and
/// ends after its children.
inline bool is_transparent(const Task& task) {
  return task.code != nullptr && static_cast<const Ending*>(task.code)->waits;
}

/// Body of a compiled task.
void run_compiled(Task& task);

/// A task with room for a view. task.data holds view_bytes, for layout_of().
TaskView* new_compiled_task(Member& me, std::int32_t flags, const ViewLayout& layout,
                            std::int32_t (*routine)(Gtid, TaskView*));

/// Executes the task here and now, and the second half of that: the remaining parts, destructors, completion.
void run_undeferred(Member& me, TaskView* view, std::span<const Dependence> dependences);
void finish_undeferred(Member& me, Task& task);

/// Member::told_where: for a tool.
void submit_compiled(Member& me, TaskView* view, std::span<const Dependence> dependences);

/// Ends the current taskgroup and combines its reductions.
void end_taskgroup(Member& me);

}  // namespace heddle::kmpc
