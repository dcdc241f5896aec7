// Making and running tasks in the form that Clang's code expects.
#pragma once

#include <span>

#include "abi/kmpc/kmpc.hpp"
#include "deps/access.hpp"
#include "tasking/create.hpp"
#include "tasking/request.hpp"

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

/// What follows a task's routine, which few tasks have.
struct Ending {
  bool is_transparent;
  bool destroys;  // objects that it has captured, by the program's function
};

/// What a compiled task has to know beside its view (Task::as()).
struct ClangTask {
  const Ending* ending;    // null: nothing follows
  std::size_t view_bytes;  // for layout_of()
};

inline const Ending* ending_of(const Task& task) {
  return task.as<ClangTask>().ending;
}
inline bool destroys(const Task& task) {
  const Ending* const ending = ending_of(task);
  return ending != nullptr && ending->destroys;
}
/// As OpenMP 6.0 has it: whatever its children name (tasking/transparent.hpp).
inline bool is_transparent(const Task& task) {
  const Ending* const ending = ending_of(task);
  return ending != nullptr && ending->is_transparent;
}

/// Body of a compiled task.
void run_compiled(Task& task);

/// A task with room for a view.
TaskView* new_compiled_task(Member& me, std::int32_t flags, const ViewLayout& layout,
                            std::int32_t (*routine)(Gtid, TaskView*));

/// Executes the task here and now, and the second half of that: the remaining parts, destructors, completion.
void run_undeferred(Member& me, TaskView* view, std::span<const Dependence> dependences);
void finish_undeferred(Member& me, Task& task);

// Out of line by what it reads: a Construct lies in registers while a task is executed at its creation.
void execute_filled_inline(Member& me, TaskView* view);
void record_filled(Member& me, TaskView* view, std::int32_t count, const DependInfo* items);
void create_filled(TaskView* view, std::int32_t count, const DependInfo* items, const void* where_from,
                   const ompt_dispatch_chunk_t& chunk, Where where);

/// A task that the program has filled, for create(): its Task was made by __kmpc_omp_task_alloc().
struct Construct {
  TaskView* view;
  std::int32_t count = 0;  // of its dependences
  const DependInfo* items = nullptr;
  const void* where = nullptr;    // what the entry point returns to
  ompt_dispatch_chunk_t chunk{};  // of a taskloop, that it executes

  TaskSpec spec(const Member& me) const {
    const Task& task = task_of(view);
    TaskSpec spec;
    spec.construct = reinterpret_cast<const void*>(view->routine);
    spec.has_dependences = count > 0 && items != nullptr;
    spec.has_more = is_transparent(task);
    spec.is_included = me.context.task->is_final();  // a final task itself may be deferred
    // The parts of one that may move are not executed by one thread alone where tasks suspend.
    if ((task.flags & (Task::kDetachable | Task::kMayMove)) != 0) [[unlikely]]
      spec.has_more |= task.is_detachable() || may_suspend();
    return spec;
  }
  void record(Member& me) const { record_filled(me, view, count, items); }
  void execute_inline(Member& me) const { execute_filled_inline(me, view); }
  void defer(Member&, Where goes) const { create_filled(view, count, items, where, chunk, goes); }
  void read_dependences(DependenceList& list) const;
  Task& make(Member& me, Where) const {
    Task& task = task_of(view);
    if (is_transparent(task)) [[unlikely]]
      request_transparent(me, {.is_for_all_memory = true});
    task.priority = priority_of(*view);
    return task;
  }
  void observe(Member& me, Task& task, std::span<const Dependence> dependences) const;
  void execute_included(Member& me, Task& task, std::span<const Dependence> dependences) const;
};

/// Ends the current taskgroup and combines its reductions.
void end_taskgroup(Member& me);

}  // namespace heddle::kmpc

// -- The arrays in which Clang passes depend clauses.

namespace heddle::kmpc {

inline Dependence convert(const DependInfo& info) {
  // omp_all_memory has two spellings: a bit, and an address that no variable has.
  const bool is_all = (info.flags & 0x80) != 0 || info.address == -1;
  Dependence result{reinterpret_cast<void*>(info.address), AccessKind::kOut, is_all};
  if ((info.flags & 0x2) != 0)
    result.kind = AccessKind::kOut;
  else if ((info.flags & 0x1) != 0)
    result.kind = AccessKind::kIn;
  else if ((info.flags & 0x4) != 0)
    result.kind = AccessKind::kMutexInOutSet;
  else if ((info.flags & 0x8) != 0)
    result.kind = AccessKind::kInOutSet;
  return result;
}

/// Reads the array into an empty list.
inline void read_dependences(std::int32_t count, const DependInfo* items, DependenceList& list) {
  if (count <= 0 || items == nullptr) return;
  Dependence* const room = list.make_room(static_cast<std::size_t>(count));
  for (std::int32_t i = 0; i < count; ++i) room[i] = convert(items[i]);
}

}  // namespace heddle::kmpc
