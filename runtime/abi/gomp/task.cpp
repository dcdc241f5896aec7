// task, taskwait, taskgroup, taskyield: GCC's entry points.
#include <cstdint>
#include <cstring>

#include "abi/empty_task.hpp"
#include "abi/gomp/dependences.hpp"
#include "abi/gomp/gomp.hpp"
#include "abi/gomp/task_payload.hpp"
#include "icv/settings.hpp"
#include "replay/taskgraph.hpp"
#include "report/report_places.hpp"
#include "suspend/suspension.hpp"
#include "tasking/at_once.hpp"
#include "tasking/create.hpp"
#include "tasking/observed.hpp"
#include "tasking/spawn.hpp"
#include "tasking/undeferred.hpp"
#include "tasking/wait.hpp"
#include "tasking/yield.hpp"

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
  const int most = settings().max_task_priority;
  return from.priority < most ? from.priority : most;
}

namespace {

void run_compiled(Task& self) {
  if ((self.flags & Task::kDiscarded) == 0) reinterpret_cast<Function>(self.code)(self.data);
}

// The same from a frame that tools can see.
[[gnu::noinline]] void run_in_frame(Task& task, Function fn, void* data) {
  set_exit_frame(task, __builtin_frame_address(0));
  fn(data);
  asm volatile("" ::: "memory");  // no tail call: the frame is there as long as the code
}
void run_compiled_in_frame(Task& self) {
  if ((self.flags & Task::kDiscarded) == 0)
    run_in_frame(self, reinterpret_cast<Function>(self.code), self.data);
}

Task& settle(Task& task, const CompiledTask& from) {
  task.body = run_compiled;
  task.code = reinterpret_cast<void*>(from.fn);
  task.data = argument_block(from, task);
  task.priority = priority_of(from);
  return task;
}

}  // namespace

void name_bodies() {
  for (const Task::Body body : {run_compiled, run_compiled_in_frame})
    name_task_bodies(body, [](const Task& task) -> const void* { return task.code; });
}

Task& new_compiled_task(Member& me, const CompiledTask& from, unsigned flags) {
  return settle(new_task(me, argument_bytes(from), flags, reinterpret_cast<const void*>(from.fn)), from);
}

void copy_arguments(Member& me, const CompiledTask& from, Task& task) {
  if (from.copy == nullptr) {
    if (from.size > 0) std::memcpy(task.data, from.data, static_cast<std::size_t>(from.size));
    return;
  }
  // Copy constructors of the program run here; they belong to the new task's data environment.
  {
    const Pushed current(me.context.task, &task);
    from.copy(task.data, from.data);
  }
  task.flags.set(Task::kHasBegun);
}

void run_compiled_undeferred(Member& me, const CompiledTask& from, Task& task,
                             std::span<const Dependence> dependences) {
  begin_undeferred(me, task, dependences);
  void* data = from.data;  // nobody else sees the arguments before the task ends
  if (from.copy != nullptr) {
    data = task.data = argument_block(from, task);
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

// Notes a task of a region that is recorded. Returns its event in the record, if it has one.
// Requires: is_recording().
[[gnu::noinline]] GraphEvent* note(Member& me, const CompiledTask& from, bool if_clause, unsigned flags,
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
    body.event = &me.context.taskgraph->notes->event_of(from.data);
    give_handle(body.event->handle(), detach, from.data);
  }
  note_task(me, body, dependences.span(), if_clause ? Gate::kNo : Gate::kYes);
  return is_recording(me) ? body.event : nullptr;
}

Notes::Signature signature_of(Function fn, long size, long alignment, unsigned flags, int priority,
                              std::uint64_t kinds) {
  const auto both = Notes::Signature::both;
  return {reinterpret_cast<void*>(fn),
          both(static_cast<unsigned long>(size), static_cast<unsigned long>(alignment)),
          both(flags, static_cast<unsigned>(priority)), kinds};
}

bool may_be_like_others(const Member& me) {
  return !me.context.taskgraph->leaves_out_next && me.requests.task.is_empty();
}

[[gnu::noinline]] void note_unlike_last(Member& me, Function fn, void* data, long size, long alignment,
                                        unsigned flags, void** depend, int priority) {
  const DependArray items((flags & gomp::kDepend) != 0 ? depend : nullptr);
  const bool may_be_like =
      may_be_like_others(me) && items.count <= Notes::kFewDependences && items.has_addresses_alone();
  const Notes::Signature signature = signature_of(fn, size, alignment, flags, priority, items.kinds());
  Notes& notes = *me.context.taskgraph->notes;
  const auto write_addresses = [&](Notes::Word* to) { copy_few(to, items.items, items.count * sizeof *to); };
  if (may_be_like &&
      notes.add_task_like(signature, data, static_cast<std::size_t>(size), write_addresses) != nullptr)
    return;
  note(me, {fn, data, nullptr, size, alignment, priority}, true, flags, depend, nullptr);
  if (may_be_like && is_recording(me)) notes.remember(signature);
}

// A task that the construct lets be deferred, without an event and without a function that copies its
// arguments. Most are like the one before: what follows has to be short, and calls nothing before its end.
[[gnu::noinline]] void note_deferrable(Member& me, Function fn, void* data, long size, long alignment,
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
  const auto write_addresses = [&](Notes::Word* to) {
    if (count > Notes::kFewDependences) __builtin_unreachable();  // such a task is like none
    copy_few(to, items, count * sizeof *to);
  };
  const Notes::Signature signature =
      signature_of(fn, size, alignment, flags, priority, DependArray::kinds_of(out, 0, count - out));
  if (!may_be_like_others(me) || DependArray::names_all_memory(items, out) ||
      me.context.taskgraph->notes->add_task_like_last(signature, data, static_cast<std::size_t>(size),
                                                      write_addresses) == nullptr) [[unlikely]]
    note_unlike_last(me, fn, data, size, alignment, flags, depend, priority);
}

TaskSpec spec_of(const Member& me, Function fn, bool if_clause, unsigned flags) {
  TaskSpec spec;
  spec.construct = reinterpret_cast<const void*>(fn);
  spec.has_dependences = (flags & gomp::kDepend) != 0;
  spec.is_included = !if_clause || me.context.task->is_final();
  spec.has_more = (flags & gomp::kDetach) != 0;
  return spec;
}

// A task in the hands of spawn().
struct Construct {
  Member& me;
  const CompiledTask& from;
  const void* where_from;  // what the entry point returns to, for a tool
  unsigned flags;          // of the entry point
  bool is_undeferred;
  unsigned task_flags;
  std::span<const Dependence> dependences;
  GraphEvent* event;  // of the record, where it is recorded
  void* detach;       // where the program wants the event's handle; null: it has none

  void execute_inline() {
    const AloneSample sample(me);
    run_compiled_undeferred(me, from, new_task(me, argument_bytes(from), task_flags), {});
  }
  bool execute_apart() {
    Task& task = settle(new_apart_at_once(me, argument_bytes(from), task_flags), from);
    copy_arguments(me, from, task);
    if (!run_apart_at_once(me, task)) submit(me, task, {});
    return true;
  }
  void execute_included() {
    Task& task = make();
    tell_if_observed(task);
    run_compiled_undeferred(me, from, task, dependences);
  }
  void publish() {
    Task& task = make();
    copy_arguments(me, from, task);
    tell_if_observed(task);  // with its arguments: what comes before is ordered before its body
    submit(me, task, dependences, dependences.empty() && was_placed(me, detach != nullptr));
  }

 private:
  [[gnu::cold]] void tell(Task& task) const {
    if (has_tool()) task.body = run_compiled_in_frame;
    tell_created(me, task,
                 {{where_from},
                  dependences,
                  is_undeferred,
                  (flags & gomp::kMergeable) != 0,
                  false,
                  reinterpret_cast<const void*>(from.fn)});
  }
  Task& make() {
    Task& task = new_compiled_task(me, from, task_flags);
    if (event != nullptr) [[unlikely]]
      event->begin(task);
    else if (detach != nullptr)
      give_handle(&task, detach, from.data);
    return task;
  }
  void tell_if_observed(Task& task) const {
    if (me.is_observed) [[unlikely]]
      tell(task);
  }
};

// What GOMP_task() does where the task is not executed at once with its creator's copy of the arguments.
[[gnu::noinline]] void create_task(Function fn, void* data, void (*copy)(void*, void*), long size,
                                   long alignment, bool if_clause, unsigned flags, void** depend,
                                   int priority, void* detach, Where placed, const void* where_from) {
  Member& me = this_member();
  const CompiledTask from{fn, data, copy, size, alignment, (flags & gomp::kPriority) != 0 ? priority : 0};
  GraphEvent* event = nullptr;
  if (is_recording(me)) [[unlikely]] {
    if (copy == nullptr && if_clause && (flags & gomp::kDetach) == 0)
      note_deferrable(me, fn, data, size, alignment, flags, depend, from.priority);
    else
      event = note(me, from, if_clause, flags, depend, detach);
  }
  const TaskSpec spec = spec_of(me, fn, if_clause, flags);
  const Where where = placed != Where::kUndecided ? placed : place(me, spec);
  DependenceList dependences;
  if (where == Where::kQueue || where == Where::kIncluded)
    read_dependences(spec.has_dependences ? depend : nullptr, dependences);
  spawn(where, Construct{me, from, where_from, flags, spec.is_included, task_flags_of(flags),
                         dependences.span(), event, spec.has_more ? detach : nullptr});
}

}  // namespace

HEDDLE_EXPORT void GOMP_task(Function fn, void* data, void (*copy)(void*, void*), long size, long alignment,
                             bool if_clause, unsigned flags, void** depend, int priority, void* detach) {
  // Straight to the shortest way, if that is open: nothing but the call of the body lies on it.
  Where placed = Where::kUndecided;
  if (t_worker != nullptr && copy == nullptr) [[likely]] {
    Member& me = *t_worker->member;
    placed = place(me, spec_of(me, fn, if_clause, flags));
    if (placed == Where::kInline) {
      if (is_recording(me)) [[unlikely]]
        note_deferrable(me, fn, data, size, alignment, flags, depend,
                        (flags & gomp::kPriority) != 0 ? priority : 0);
      execute_at_once(me, flags & (gomp::kUntied | gomp::kFinal), [=] { fn(data); });
      return;
    }
  }
  create_task(fn, data, copy, size, alignment, if_clause, flags, depend, priority, detach, placed,
              __builtin_return_address(0));
}

HEDDLE_EXPORT void GOMP_taskwait() {
  Member& me = this_member();
  const ToolSync told(me, ompt_sync_region_taskwait, HEDDLE_CALL_SITE());
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
  if (has_tool()) [[unlikely]]
    tell_taskgroup_begins(me, HEDDLE_CALL_SITE());
  taskgroup_begin(me);
}
HEDDLE_EXPORT void GOMP_taskgroup_end() {
  Member& me = this_member();
  const ToolSync told(me, ompt_sync_region_taskgroup, HEDDLE_CALL_SITE());
  taskgroup_end(me);
}
