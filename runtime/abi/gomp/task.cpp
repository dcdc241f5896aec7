// task, taskwait, taskgroup, taskyield: GCC's entry points.
#include "abi/gomp/task.hpp"

#include <cstdint>
#include <cstring>

#include "abi/empty_task.hpp"
#include "abi/gomp/gomp.hpp"
#include "abi/ompt/ompt.hpp"
#include "icv/settings.hpp"
#include "replay/taskgraph.hpp"
#include "report/report_places.hpp"
#include "suspend/suspension.hpp"
#include "sys/fatal.hpp"
#include "tasking/create.hpp"
#include "tasking/transparent.hpp"
#include "tasking/undeferred.hpp"
#include "tasking/wait.hpp"
#include "trace/tool.hpp"

using namespace heddle;
using namespace heddle::gomp;

namespace heddle::gomp {

// The payload begins with a cache line; alignments are powers of two.
std::size_t argument_bytes(const CompiledTask& from) {
  const auto alignment = static_cast<std::size_t>(from.alignment);
  return static_cast<std::size_t>(from.size) +
         (from.alignment > long{kCacheLine} ? alignment - kCacheLine : 0);
}

void* argument_block(const CompiledTask& from, Task& task) {
  if (from.alignment <= long{kCacheLine}) return task.payload();
  const auto alignment = static_cast<std::uintptr_t>(from.alignment);
  return reinterpret_cast<void*>((reinterpret_cast<std::uintptr_t>(task.payload()) + alignment - 1) &
                                 ~(alignment - 1));
}

std::int32_t priority_of(const CompiledTask& from) {
  if (from.priority <= 0) return 0;
  const long most = settings().max_task_priority;
  return static_cast<std::int32_t>(from.priority < most ? from.priority : most);
}

namespace {

void run_compiled(Task& self) {
  const GccTask& task = self.as<GccTask>();
  if ((self.flags & Task::kDiscarded) == 0) task.function(task.arguments);
}

// The same from a frame that tools can see.
[[gnu::noinline]] void run_in_frame(Task& task, Function fn, void* data) {
  set_exit_frame(task, __builtin_frame_address(0));
  fn(data);
  if (is_transparency_forgotten(task)) taskwait(this_member());
  asm volatile("" ::: "memory");  // no tail call: the frame is there as long as the code
}
void run_compiled_in_frame(Task& self) {
  const GccTask& task = self.as<GccTask>();
  if ((self.flags & Task::kDiscarded) == 0) run_in_frame(self, task.function, task.arguments);
}

Task& settle(Task& task, const CompiledTask& from) {
  task.body = run_compiled;
  task.as<GccTask>() = {from.fn, argument_block(from, task)};
  task.priority = priority_of(from);
  return task;
}

}  // namespace

void name_bodies() {
  for (const Task::Body body : {run_compiled, run_compiled_in_frame})
    name_task_bodies(
        body, [](const Task& task) { return reinterpret_cast<const void*>(task.as<GccTask>().function); });
}

Task& new_compiled_task(Member& me, const CompiledTask& from, unsigned flags) {
  return settle(new_task(me, argument_bytes(from), flags, reinterpret_cast<const void*>(from.fn)), from);
}

void copy_arguments(Member& me, const CompiledTask& from, Task& task) {
  void* const to = task.as<GccTask>().arguments;
  if (from.copy == nullptr) {
    if (from.size > 0) std::memcpy(to, from.data, static_cast<std::size_t>(from.size));
    return;
  }
  // Copy constructors of the program run here; they belong to the new task's data environment.
  {
    const Pushed current(me.context.task, &task);
    from.copy(to, from.data);
  }
  task.flags.set(Task::kHasBegun);
}

void run_compiled_undeferred(Member& me, const CompiledTask& from, Task& task,
                             std::span<const Dependence> dependences) {
  begin_undeferred(me, task, dependences);
  void* data = from.data;  // nobody else sees the arguments before the task ends
  if (from.copy != nullptr) {
    data = argument_block(from, task);
    from.copy(data, from.data);
  }
  if (has_tool()) [[unlikely]]
    run_in_frame(task, from.fn, data);
  else
    from.fn(data);
  end_undeferred(me, task);
}

}  // namespace heddle::gomp

namespace {

unsigned task_flags_of(unsigned flags) {
  return (flags & (gomp::kUntied | gomp::kFinal)) |
         ((flags & gomp::kDetach) != 0 ? unsigned{Task::kDetachable} : 0);
}
static_assert(int{gomp::kUntied} == int{Task::kUntied} && int{gomp::kFinal} == int{Task::kFinal},
              "flags are handed on as they are");

// GCC keeps an event's handle first among the arguments as well.
void give_handle(void* handle, void* detach, void* data) {
  *static_cast<void**>(detach) = handle;
  if (data != nullptr) *static_cast<void**>(data) = handle;
}

// TaskLog a task of a region that is recorded. Returns its event in the record, if it has one.
// Requires: is_recording().
[[gnu::noinline]] GraphEvent* record_any(Member& me, const CompiledTask& from, bool if_clause, unsigned flags,
                                         void** depend, void* detach) {
  if (leaves_out_task(me)) return nullptr;
  // GCC copies structures and arrays by a function of the program, and objects by their constructors.
  if (from.copy != nullptr && !me.context.taskgraph->copies_are_bytes) {
    refuse_to_record(me, "a task captures a structure, array or object, which may not be bytes alone");
    return nullptr;
  }
  DependenceList dependences;
  read_dependences((flags & gomp::kDepend) != 0 ? depend : nullptr, dependences);
  TaskBody body;
  body.run = [](void* code, void* data) { reinterpret_cast<Function>(code)(data); };
  body.code = reinterpret_cast<void*>(from.fn);
  body.data = from.data;
  body.copy = from.copy;
  body.bytes = static_cast<std::size_t>(from.size);
  body.alignment = static_cast<std::size_t>(from.alignment);
  body.data_may_move = from.copy == nullptr;
  body.priority = priority_of(from);
  body.flags = task_flags_of(flags);
  if ((flags & gomp::kDetach) != 0) {
    body.event = &me.context.taskgraph->task_log->event_of(from.data);
    give_handle(body.event->handle(), detach, from.data);
  }
  record_task(me, body, dependences.span(), if_clause ? Gate::kNo : Gate::kYes);
  return is_recording(me) ? body.event : nullptr;
}

TaskLog::Signature signature_of(Function fn, long size, long alignment, unsigned flags, int priority,
                                std::uint64_t kinds) {
  const auto both = TaskLog::Signature::both;
  return {reinterpret_cast<void*>(fn),
          both(static_cast<unsigned long>(size), static_cast<unsigned long>(alignment)),
          both(flags, static_cast<unsigned>(priority)), kinds};
}

bool may_be_like_others(const Member& me) {
  return !me.context.taskgraph->leaves_out_next && me.requests.task.is_empty();
}

[[gnu::noinline]] void record_unlike_last(Member& me, Function fn, void* data, long size, long alignment,
                                          unsigned flags, void** depend, int priority) {
  const DependArray items((flags & gomp::kDepend) != 0 ? depend : nullptr);
  const bool may_be_like =
      may_be_like_others(me) && items.count <= TaskLog::kFewDependences && items.has_addresses_alone();
  const TaskLog::Signature signature = signature_of(fn, size, alignment, flags, priority, items.kinds());
  TaskLog& task_log = *me.context.taskgraph->task_log;
  const auto write_addresses = [&](TaskLog::Word* to) {
    copy_few(to, items.items, items.count * sizeof *to);
  };
  if (may_be_like &&
      task_log.add_task_like(signature, data, static_cast<std::size_t>(size), write_addresses) != nullptr)
    return;
  record_any(me, {fn, data, nullptr, size, alignment, priority}, true, flags, depend, nullptr);
  if (may_be_like && is_recording(me)) task_log.remember(signature);
}

// A task that the construct lets be deferred, without an event and without a function that copies its
// arguments. Most are like the one before: what follows has to be short, and calls nothing before its end.
[[gnu::noinline]] void record_deferrable(Member& me, Function fn, void* data, long size, long alignment,
                                         unsigned flags, void** depend, int priority) {
  // Of the form without a number for each kind. An array of the other form, which begins with 0 and a number,
  // comes out with 2^32 less that number in place of those that are read: none that is remembered has that.
  std::uintptr_t count = 0, out = 0;
  void** items = nullptr;
  if ((flags & gomp::kDepend) != 0) {
    count = reinterpret_cast<std::uintptr_t>(depend[0]);
    out = reinterpret_cast<std::uintptr_t>(depend[1]);
    items = depend + 2;
  }
  const auto write_addresses = [&](TaskLog::Word* to) {
    if (count > TaskLog::kFewDependences) __builtin_unreachable();  // such a task is like none
    copy_few(to, items, count * sizeof *to);
  };
  const TaskLog::Signature signature =
      signature_of(fn, size, alignment, flags, priority, DependArray::kinds_of(out, 0, count - out));
  if (!may_be_like_others(me) || DependArray::names_all_memory(items, out) ||
      me.context.taskgraph->task_log->add_task_like_last(signature, data, static_cast<std::size_t>(size),
                                                         write_addresses) == nullptr) [[unlikely]]
    record_unlike_last(me, fn, data, size, alignment, flags, depend, priority);
}

// The program's function copies the arguments.
[[gnu::noinline]] void execute_inline_with_copy(Member& me, CompiledTask from, unsigned task_flags) {
  const SerialCreationSample sample(me);
  run_compiled_undeferred(me, from, new_task(me, argument_bytes(from), task_flags), {});
}

void create_task(Function fn, void* data, void (*copy)(void*, void*), long size, long alignment,
                 bool if_clause, unsigned flags, void** depend, int priority, void* detach,
                 const void* where_from, Where where);

// What GOMP_task() was given, for create().
struct Construct {
  Function fn;
  void* data;
  void (*copy)(void*, void*);
  long size, alignment;
  bool if_clause;
  unsigned flags;
  void** depend;
  int priority;
  void* detach;
  const void* where_from = nullptr;  // what the entry point returns to, for a tool; where it is deferrable
  GraphEvent* event = nullptr;       // in the record of its region

  TaskSpec spec(const Member& me) const {
    TaskSpec spec;
    spec.construct = reinterpret_cast<const void*>(fn);
    spec.has_dependences = (flags & gomp::kDepend) != 0;
    spec.is_included = is_undeferred(me);
    spec.has_more = has_event();
    return spec;
  }
  void record(Member& me) {
    if (copy == nullptr && if_clause && !has_event())
      record_deferrable(me, fn, data, size, alignment, flags, depend, priority_clause());
    else
      event = record_any(me, compiled(), if_clause, flags, depend, detach);
  }
  // Nothing but the call of the body lies on this way.
  void execute_inline(Member& me) const {
    if (copy == nullptr) [[likely]]
      return heddle::execute_inline(me, flags & (gomp::kUntied | gomp::kFinal),
                                    [to_run = fn, arguments = data] { to_run(arguments); });
    execute_inline_with_copy(me, compiled(), task_flags_of(flags));
  }
  // Inlined into the entry point, whose return address this is.
  [[gnu::always_inline]] void defer(Member&, Where where) const {
    create_task(fn, data, copy, size, alignment, if_clause, flags, depend, priority, detach,
                __builtin_return_address(0), where);
  }
  void read_dependences(DependenceList& list) const {
    gomp::read_dependences((flags & gomp::kDepend) != 0 ? depend : nullptr, list);
  }
  Task& make(Member& me, Where goes) const {
    const CompiledTask from = compiled();
    if (goes == Where::kOwnStack) {
      Task& task = settle(new_inline_on_own_stack(me, argument_bytes(from), task_flags_of(flags)), from);
      copy_arguments(me, from, task);
      return task;
    }
    Task& task = new_compiled_task(me, from, task_flags_of(flags));
    if (event != nullptr) [[unlikely]]
      event->begin(task);
    else if (has_event())
      give_handle(&task, detach, data);
    if (goes != Where::kIncluded) copy_arguments(me, from, task);
    return task;
  }
  void observe(Member& me, Task& task, std::span<const Dependence> dependences) const {
    if (has_tool()) task.body = run_compiled_in_frame;
    const bool is_mergeable = (flags & gomp::kMergeable) != 0;
    heddle::observe(&Observer::task_created, task,
                    {{where_from},
                     dependences,
                     is_undeferred(me),
                     is_mergeable,
                     false,
                     reinterpret_cast<const void*>(fn)});
  }
  void execute_included(Member& me, Task& task, std::span<const Dependence> dependences) const {
    run_compiled_undeferred(me, compiled(), task, dependences);
  }

 private:
  bool is_undeferred(const Member& me) const { return !if_clause || me.context.task->is_final(); }
  bool has_event() const { return (flags & gomp::kDetach) != 0; }
  int priority_clause() const { return (flags & gomp::kPriority) != 0 ? priority : 0; }
  CompiledTask compiled() const { return {fn, data, copy, size, alignment, priority_clause()}; }
};

[[gnu::noinline]] void create_task(Function fn, void* data, void (*copy)(void*, void*), long size,
                                   long alignment, bool if_clause, unsigned flags, void** depend,
                                   int priority, void* detach, const void* where_from, Where where) {
  create_deferrable(
      this_member(),
      Construct{fn, data, copy, size, alignment, if_clause, flags, depend, priority, detach, where_from},
      where);
}

}  // namespace

HEDDLE_EXPORT void GOMP_task(Function fn, void* data, void (*copy)(void*, void*), long size, long alignment,
                             bool if_clause, unsigned flags, void** depend, int priority, void* detach) {
  create(this_member(),
         Construct{fn, data, copy, size, alignment, if_clause, flags, depend, priority, detach});
}

HEDDLE_EXPORT void GOMP_taskwait() {
  Member& me = this_member();
  const SyncRegion sync(ompt_sync_region_taskwait, HEDDLE_CALL_SITE());
  taskwait(me);
}

HEDDLE_EXPORT void GOMP_taskwait_depend(void** depend) {
  DependenceList dependences;
  read_dependences(depend, dependences);
  Member& me = this_member();
  taskwait_depend(me, dependences.span(), HEDDLE_CALL_SITE());
}

// From GCC 13 on.
HEDDLE_EXPORT void GOMP_taskwait_depend_nowait(void** depend) {
  DependenceList dependences;
  read_dependences(depend, dependences);
  submit_empty_task(this_member(), dependences.span(), HEDDLE_CALL_SITE());
}

HEDDLE_EXPORT void GOMP_taskyield() {
  taskyield(this_member());
}
HEDDLE_EXPORT void GOMP_taskgroup_start() {
  Member& me = this_member();
  observe(&Observer::taskgroup_begins, HEDDLE_CALL_SITE());
  taskgroup_begin(me);
}
HEDDLE_EXPORT void GOMP_taskgroup_end() {
  Member& me = this_member();
  const SyncRegion sync(ompt_sync_region_taskgroup, HEDDLE_CALL_SITE());
  taskgroup_end(me);
}

namespace heddle::gomp {
namespace {

AccessKind kind_of_pair(std::uintptr_t kind) {
  switch (kind) {
    case 1:
      return AccessKind::kIn;
    case 2:
    case 3:
      return AccessKind::kOut;
    case 4:
      return AccessKind::kMutexInOutSet;
    case 5:
      return AccessKind::kInOutSet;
    default:
      fatal("a depend object holds the unknown dependence type %zu; was it initialised?",
            static_cast<std::size_t>(kind));
  }
}

}  // namespace

void read_dependences(void** depend, DependenceList& list) {
  const DependArray from(depend);
  if (from.count == 0) return;
  Dependence* const room = list.make_room(from.count);
  for (std::size_t i = 0; i < from.count; ++i) {
    if (i < from.out) {
      room[i] = {from.items[i], AccessKind::kOut, from.items[i] == nullptr};
    } else if (i < from.out + from.mutex) {
      room[i] = {from.items[i], AccessKind::kMutexInOutSet, false};
    } else if (i < from.out + from.mutex + from.in) {
      room[i] = {from.items[i], AccessKind::kIn, false};
    } else {
      void** const pair = static_cast<void**>(from.items[i]);
      const AccessKind kind = kind_of_pair(reinterpret_cast<std::uintptr_t>(pair[1]));
      room[i] = {pair[0], kind, pair[0] == nullptr && kind == AccessKind::kOut};
    }
  }
}

}  // namespace heddle::gomp
