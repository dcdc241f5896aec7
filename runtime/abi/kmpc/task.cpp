// task, taskwait, taskgroup, taskyield, detach: Clang's entry points.
#include "abi/kmpc/task.hpp"

#include <algorithm>
#include <cstring>
#include <unordered_map>
#include <utility>
#include <vector>

#include "abi/empty_task.hpp"
#include "abi/kmpc/kmpc.hpp"
#include "abi/ompt/ompt.hpp"
#include "icv/settings.hpp"
#include "replay/taskgraph.hpp"
#include "report/report_places.hpp"
#include "suspend/suspension.hpp"
#include "tasking/create.hpp"
#include "tasking/detach.hpp"
#include "tasking/transparent.hpp"
#include "tasking/undeferred.hpp"
#include "tasking/wait.hpp"
#include "trace/tool.hpp"

using namespace heddle;
using namespace heddle::kmpc;

namespace heddle::kmpc {
namespace {

// Calls the task's code from a frame that tools can see.
[[gnu::noinline]] void run_in_frame(Gtid gtid, TaskView* view) {
  set_exit_frame(task_of(view), __builtin_frame_address(0));
  view->routine(gtid, view);
  asm volatile("" ::: "memory");  // no tail call: the frame is there as long as the code
}

[[gnu::cold]] void end_body(Task& task) {
  auto* view = static_cast<TaskView*>(task.payload());
  if (destroys(task)) view->destructors.destructors(this_worker().id, view);
}

constexpr Ending kEndings[] = {{false, false}, {false, true}, {true, false}, {true, true}};

// Where a tool is active, in place of run_compiled().
void run_compiled_in_frame(Task& task) {
  auto* view = static_cast<TaskView*>(task.payload());
  const Gtid gtid = this_worker().id;
  if ((task.flags & Task::kDiscarded) == 0 && view->routine != nullptr) run_in_frame(gtid, view);
  if ((task.flags & Task::kHasMoreParts) == 0 && is_transparency_forgotten(task)) taskwait(this_member());
  if ((task.flags & Task::kHasMoreParts) == 0 && ending_of(task) != nullptr) end_body(task);
}

}  // namespace

void run_compiled(Task& task) {
  auto* view = static_cast<TaskView*>(task.payload());
  const Gtid gtid = this_worker().id;
  // A task without a routine stands for taskwait with nowait and dependences.
  if ((task.flags & Task::kDiscarded) == 0 && view->routine != nullptr) view->routine(gtid, view);
  if ((task.flags & Task::kHasMoreParts) == 0 && ending_of(task) != nullptr) end_body(task);
}

void name_bodies() {
  for (const Task::Body body : {run_compiled, run_compiled_in_frame})
    name_task_bodies(body, [](const Task& task) -> const void* {
      return reinterpret_cast<const void*>(
          static_cast<TaskView*>(const_cast<Task&>(task).payload())->routine);
    });
}

std::int32_t priority_of(const TaskView& view) {
  const std::int32_t asked = view.priority.priority;
  return asked <= 0 ? 0 : std::min(asked, settings().max_task_priority);
}

ViewLayout layout_of(const Task& task) {
  ViewLayout layout{task.as<ClangTask>().view_bytes, 0};
  layout.shareds_bytes = task.bytes - sizeof(Task) - layout.shareds_at();
  return layout;
}

void keep_shareds(TaskView* copy, const ViewLayout& layout) {
  if (layout.shareds_bytes != 0) copy->shareds = reinterpret_cast<char*>(copy) + layout.shareds_at();
}

void copy_view(TaskView* to, const TaskView* from, const ViewLayout& layout) {
  std::memcpy(static_cast<void*>(to), from, layout.bytes());
  keep_shareds(to, layout);
}

TaskView* new_compiled_task(Member& me, std::int32_t flags, const ViewLayout& layout,
                            std::int32_t (*routine)(Gtid, TaskView*)) {
  unsigned task_flags = 0;
  if ((flags & kTied) == 0) task_flags |= Task::kUntied | Task::kMayMove;
  if ((flags & kFinal) != 0) task_flags |= Task::kFinal;
  if ((flags & (kDetachable | kProxy)) != 0) [[unlikely]] {
    task_flags |= Task::kDetachable;
    me.requests.waited_for.clear();
  }
  if (me.requests.task.is_transparent) [[unlikely]]
    me.requests.waited_for.clear();
  Task& task = new_task(me, layout.bytes(), task_flags, reinterpret_cast<const void*>(routine));
  task.body = run_compiled;
  task.as<ClangTask>() = {nullptr, layout.view_bytes};
  if ((flags & (kDestructors | kTransparent)) != 0) {
    const int number = ((flags & kTransparent) != 0 ? 2 : 0) + ((flags & kDestructors) != 0 ? 1 : 0);
    task.as<ClangTask>().ending = &kEndings[number];
  }
  auto* view = static_cast<TaskView*>(task.payload());
  // Privates are the program's to fill; HEDDLE_CHECK compares what lies between them, too.
  if (layout.view_bytes >= sizeof *view && !settings().checks_graphs) [[likely]]
    std::memset(static_cast<void*>(view), 0, sizeof *view);
  else
    std::memset(static_cast<void*>(view), 0, layout.view_bytes);
  view->shareds = layout.shareds_bytes > 0 ? reinterpret_cast<char*>(view) + layout.shareds_at() : nullptr;
  view->routine = routine;
  return view;
}

namespace {

// What is to be executed of a task whose routine has returned once: the remaining parts, destructors.
void run_rest(Member& me, Task& task) {
  auto* view = static_cast<TaskView*>(task.payload());
  while ((task.flags & Task::kHasMoreParts) != 0) {
    task.flags.clear(Task::kHasMoreParts);
    view->routine(gtid_of(me), view);
  }
  if (ending_of(task) != nullptr) end_body(task);
}

}  // namespace

void finish_undeferred(Member& me, Task& task) {
  run_rest(me, task);
  if (is_transparency_forgotten(task)) [[unlikely]]
    taskwait(me);
  end_undeferred(me, task);
}

void run_undeferred(Member& me, TaskView* view, std::span<const Dependence> dependences) {
  begin_undeferred(me, task_of(view), dependences);
  if (has_tool()) [[unlikely]]
    run_in_frame(gtid_of(me), view);
  else
    view->routine(gtid_of(me), view);
  finish_undeferred(me, task_of(view));
}

void execute_filled_inline(Member& me, TaskView* view) {
  heddle::execute_inline(me, task_of(view), [&member = me, to_run = view] {
    to_run->routine(gtid_of(member), to_run);
    Task& self = task_of(to_run);
    if ((self.flags & Task::kHasMoreParts) != 0 || ending_of(self) != nullptr) [[unlikely]]
      run_rest(member, self);
  });
}

void create_filled(TaskView* view, std::int32_t count, const DependInfo* items, const void* where_from,
                   const ompt_dispatch_chunk_t& chunk, Where where) {
  create_deferrable(this_member(), Construct{view, count, items, where_from, chunk}, where);
}

void Construct::read_dependences(DependenceList& list) const {
  kmpc::read_dependences(count, items, list);
}

void Construct::observe(Member& me, Task& task, std::span<const Dependence> dependences) const {
  if (has_tool()) task.body = run_compiled_in_frame;
  heddle::observe(&Observer::task_created, task,
                  {{where}, dependences, me.context.task->is_final(), false, false, nullptr, chunk});
}

void Construct::execute_included(Member& me, Task&, std::span<const Dependence> dependences) const {
  run_undeferred(me, view, dependences);
}

}  // namespace heddle::kmpc

namespace {

// The code of an untied task hands over itself at its scheduling points and returns: the next part is to be
// run.
bool is_next_part(TaskView* view) {
  Task* const current = this_member().context.task;
  if (&task_of(view) != current) return false;
  current->flags.set(Task::kHasMoreParts);
  return true;
}

// kmp_task_affinity_info_t
struct AffinityInfo {
  std::intptr_t address;
  std::size_t bytes;
  std::uint32_t flags;
};

// The program may have asked for the event of a task while its region was recorded, as it may not be any
// more.
[[gnu::cold]] void bind_event(Member& me, TaskView* view) {
  if (me.context.taskgraph == nullptr || me.context.taskgraph->task_log == nullptr) return;
  if (GraphEvent* const event = me.context.taskgraph->task_log->awaited_event_of(view))
    event->begin(task_of(view));
}

void record_view(Member& me, TaskView* view, std::span<const Dependence> dependences, Gate gate) {
  Task& task = task_of(view);
  TaskBody body;
  const char* against = nullptr;
  if (destroys(task)) against = "a task captures an object, which is not bytes alone";
  if (is_transparent(task)) against = "a task is transparent (not yet)";
  if ((task.flags & Task::kMayMove) != 0) against = "a task is untied (not yet)";
  if (against != nullptr) return refuse_to_record(me, against);
  body.run = [](void*, void* data) {
    auto* const replayed = static_cast<TaskView*>(data);
    replayed->routine(this_worker().id, replayed);
  };
  body.code = reinterpret_cast<void*>(view->routine);
  body.data = view;
  body.bytes = layout_of(task).bytes();
  body.alignment = kCacheLine;
  body.data_may_move = true;
  body.copy = [](void* to, void* data) {
    auto* const original = static_cast<TaskView*>(data);
    copy_view(static_cast<TaskView*>(to), original, layout_of(task_of(original)));
  };
  body.priority = priority_of(*view);
  body.flags = task.flags & (Task::kFinal | Task::kDetachable);
  if (task.is_detachable()) body.event = &me.context.taskgraph->task_log->event_of(view);
  record_task(me, body, dependences, gate);
}

// A deferrable task. Most are like another one of the same construct.
[[gnu::noinline]] void record_deferrable(Member& me, TaskView* view,
                                         std::span<const Dependence> dependences) {
  const Task& task = task_of(view);
  const auto both = TaskLog::Signature::both;
  const bool may_be_like_others =
      dependences.size() < TaskLog::kFewDependences && ending_of(task) == nullptr &&
      (task.flags & (Task::kMayMove | Task::kDetachable)) == 0 && me.requests.task.is_empty();
  if (!may_be_like_others) return record_view(me, view, dependences, Gate::kNo);
  const ViewLayout layout = layout_of(task);
  std::uint64_t kinds = dependences.size();
  for (const Dependence& d : dependences)
    kinds = kinds << 8 | static_cast<unsigned>(d.kind) << 1 | (d.is_all_memory ? 1 : 0);
  const TaskLog::Signature signature{
      reinterpret_cast<void*>(view->routine), both(layout.view_bytes, layout.shareds_bytes),
      both(task.flags, static_cast<std::uint32_t>(view->priority.priority)), kinds};
  TaskLog& task_log = *me.context.taskgraph->task_log;
  if (void* const copy = task_log.add_task_like(signature, view, layout.bytes(), [&](TaskLog::Word* to) {
        for (const Dependence& d : dependences) *to++ = reinterpret_cast<TaskLog::Word>(d.address);
      }))
    return keep_shareds(static_cast<TaskView*>(copy), layout);
  record_view(me, view, dependences, Gate::kNo);
  if (is_recording(me)) task_log.remember(signature);
}

// What a program's task with these dependences comes to.
void create_from_program(TaskView* view, std::int32_t count, const DependInfo* items,
                         const void* where_from) {
  Member& me = this_member();
  if (task_of(view).is_detachable()) [[unlikely]]
    bind_event(me, view);
  create(me, Construct{view, count, items, where_from});
}

}  // namespace

namespace heddle::kmpc {

void record_filled(Member& me, TaskView* view, std::int32_t count, const DependInfo* items) {
  if (leaves_out_task(me)) return;
  DependenceList dependences;
  kmpc::read_dependences(count, items, dependences);
  record_deferrable(me, view, dependences.span());
}

}  // namespace heddle::kmpc

HEDDLE_EXPORT TaskView* __kmpc_omp_task_alloc(Ident*, Gtid, std::int32_t flags, std::size_t view_bytes,
                                              std::size_t shareds_bytes,
                                              std::int32_t (*routine)(Gtid, TaskView*)) {
  return new_compiled_task(this_member(), flags, {view_bytes, shareds_bytes}, routine);
}

HEDDLE_EXPORT std::int32_t __kmpc_omp_task(Ident*, Gtid, TaskView* view) {
  if (!is_next_part(view)) create_from_program(view, 0, nullptr, __builtin_return_address(0));
  return 0;
}
HEDDLE_EXPORT std::int32_t __kmpc_omp_task_parts(Ident*, Gtid, TaskView* view) {
  if (!is_next_part(view)) create_from_program(view, 0, nullptr, __builtin_return_address(0));
  return 0;
}

HEDDLE_EXPORT std::int32_t __kmpc_omp_task_with_deps(Ident*, Gtid, TaskView* view, std::int32_t count,
                                                     DependInfo* items, std::int32_t, DependInfo*) {
  create_from_program(view, count, items, __builtin_return_address(0));
  return 0;
}

namespace {

// The program makes an undeferred task, waits for its dependences, and begins it without a word of them. What
// was recorded before the task was made is not its.
void wait_for_dependences(Member& me, std::span<const Dependence> dependences, CallSite where) {
  taskwait_depend(me, dependences, where);
  this_member().requests.waited_for.assign(dependences.begin(),
                                           dependences.end());  // the thread may be another one now
}

}  // namespace

HEDDLE_EXPORT void __kmpc_omp_wait_deps(Ident*, Gtid, std::int32_t count, DependInfo* items, std::int32_t,
                                        DependInfo*) {
  DependenceList dependences;
  read_dependences(count, items, dependences);
  Member& me = this_member();
  refuse_unmarked(me, "an undeferred task (not yet)");
  if (is_recording(me) && leaves_out_task(me)) [[unlikely]] {  // the undeferred task that comes next
    leave_out_next_task(me, true);
    const NotRecording here(me);
    return wait_for_dependences(me, dependences.span(), HEDDLE_CALL_SITE());
  }
  wait_for_dependences(me, dependences.span(), HEDDLE_CALL_SITE());
}

HEDDLE_EXPORT void __kmpc_omp_taskwait_deps_51(Ident*, Gtid, std::int32_t count, DependInfo* items,
                                               std::int32_t, DependInfo*, std::int32_t has_no_wait) {
  DependenceList dependences;
  read_dependences(count, items, dependences);
  Member& me = this_member();
  if (has_no_wait == 0) {
    wait_for_dependences(me, dependences.span(), HEDDLE_CALL_SITE());
    return;
  }
  submit_empty_task(me, dependences.span(), HEDDLE_CALL_SITE());
}

namespace {

// The program itself calls the task's code. Where it keeps no frame pointers this is no address of a frame.
void* callers_frame(void* frame) {
  return *static_cast<void**>(frame);
}

}  // namespace

HEDDLE_EXPORT void __kmpc_omp_task_begin_if0(Ident*, Gtid, TaskView* view) {
  Member& me = this_member();
  refuse_unmarked(me, "an undeferred task (not yet)");
  if (task_of(view).is_detachable()) [[unlikely]]
    bind_event(me, view);
  if (is_recording(me) && !leaves_out_task(me)) [[unlikely]]
    record_view(me, view, {}, Gate::kYes);
  if (is_transparent(task_of(view))) [[unlikely]]
    request_transparent(me, {.is_for_all_memory = true});
  observe(&Observer::task_created, task_of(view), {HEDDLE_CALL_SITE(), {}, true});
  std::vector<Dependence> dependences;  // of others the construct has waited for all that matters
  if (task_of(view).is_detachable() || me.requests.task.is_transparent) [[unlikely]]
    dependences.swap(me.requests.waited_for);
  begin_undeferred(me, task_of(view), dependences);
  if (has_tool()) [[unlikely]]
    set_exit_frame(task_of(view), callers_frame(__builtin_frame_address(0)));
}
HEDDLE_EXPORT void __kmpc_omp_task_complete_if0(Ident*, Gtid, TaskView* view) {
  finish_undeferred(this_member(), task_of(view));
}

HEDDLE_EXPORT std::int32_t __kmpc_omp_taskwait(Ident*, Gtid) {
  Member& me = this_member();
  const SyncRegion sync(ompt_sync_region_taskwait, HEDDLE_CALL_SITE());
  taskwait(me);
  return 0;
}
HEDDLE_EXPORT std::int32_t __kmpc_omp_taskyield(Ident*, Gtid, std::int32_t) {
  taskyield(this_member());
  return 0;
}
HEDDLE_EXPORT void __kmpc_taskgroup(Ident*, Gtid) {
  Member& me = this_member();
  observe(&Observer::taskgroup_begins, HEDDLE_CALL_SITE());
  taskgroup_begin(me);
}

HEDDLE_EXPORT void* __kmpc_task_allow_completion_event(Ident*, Gtid, TaskView* view) {
  Member& me = this_member();
  if (is_recording(me)) [[unlikely]] {
    if (me.context.taskgraph->leaves_out_next) return &task_of(view);
    if (!me.context.taskgraph->nogroup) return me.context.taskgraph->task_log->event_of(view).handle();
    refuse_to_record(me, kEventsOverlap);
  }
  return &task_of(view);
}

// The dependence graph as debuggers may walk it: a list of successors, each named by what
// __kmpc_task_get_depnode returns for it. An Edge is such a list's element: whose node, and the next. Exact
// only while the task is incomplete; the list stays until the calling thread asks for the same task's again.
HEDDLE_EXPORT void* __kmpc_task_get_depnode(TaskView* view) {
  return &task_of(view);
}
HEDDLE_EXPORT Edge* __kmpc_task_get_successors(TaskView* view) {
  static thread_local std::unordered_map<const TaskView*, std::vector<Edge>> lists;
  std::vector<Edge>& edges = lists[view];
  edges.clear();
  task_of(view).successors.for_each([&edges](Task& successor) { edges.push_back({&successor, nullptr}); });
  for (std::size_t i = 1; i < edges.size(); ++i) edges[i - 1].next = &edges[i];
  return edges.empty() ? nullptr : edges.data();
}

// Proxy tasks complete like detachable ones.
HEDDLE_EXPORT void __kmpc_proxy_task_completed(Gtid, TaskView* view) {
  fulfill_event(task_of(view));
}
HEDDLE_EXPORT void __kmpc_proxy_task_completed_ooo(TaskView* view) {
  fulfill_event(task_of(view));
}

// Of several list items the largest counts, of equal ones the first: it is the most to fetch.
HEDDLE_EXPORT std::int32_t __kmpc_omp_reg_task_with_affinity(Ident*, Gtid, TaskView* view, std::int32_t count,
                                                             const AffinityInfo* items) {
  if (count <= 0) return 0;
  const AffinityInfo* const largest = std::max_element(
      items, items + count, [](const AffinityInfo& a, const AffinityInfo& b) { return a.bytes < b.bytes; });
  task_of(view).slot = HomeTable::slot_of(reinterpret_cast<const void*>(largest->address));
  return 0;
}
