// Record and replay as LLVM's experimental builds call it, the older and the newer way.
// Sources: the calls in LLVM 19's runtime tests (openmp/runtime/test/tasking/omp_record_replay*.cpp), and
// what the tests of Clang's code generation for OpenMP 6.0 expect (clang/test/OpenMP/taskgraph_*.cpp of the
// patches under review in 2026; no release has it, and it may change).
#include "replay/taskgraph.hpp"

#include <memory_resource>
#include <string>

#include "abi/kmpc/kmpc.hpp"
#include "abi/kmpc/task.hpp"
#include "graph/graph_log.hpp"
#include "icv/text.hpp"
#include "sys/machine.hpp"
#include "tasking/wait.hpp"

using namespace heddle;
using namespace heddle::kmpc;

namespace {

// The graphs have numbers and no construct.
constinit GraphConstruct g_numbered;

// The compiler's handle, a pointer that is null at first, is the construct.
static_assert(sizeof(GraphConstruct) == sizeof(void*) && alignof(GraphConstruct) == alignof(void*));

/// Has a task's list of shared variables name those that the region's code captures now.
using Relocate = void(TaskView* view, void* captures);
/// Copies what is more than bytes; the bytes are there already.
using Clone = void(TaskView* to, TaskView* from, std::int32_t is_last);

// A task in a record, with its view behind it, which stays as it was: each execution works on a copy.
struct alignas(kCacheLine) RelocatedTask {
  ViewLayout layout;
  Relocate* relocate;  // null: it shares nothing
  Clone* clone;        // null: its data are bytes
  bool has_destructors;
  void* const* captures;  // of the execution that goes on

  TaskView* view() { return reinterpret_cast<TaskView*>(this + 1); }
  std::size_t bytes() const { return sizeof *this + layout.bytes(); }

  void copy(TaskView* to, TaskView* from) const {
    copy_view(to, from, layout);
    if (clone != nullptr) clone(to, from, 0);
  }
  void destroy(TaskView* copied) const {
    if (has_destructors) copied->destructors.destructors(this_worker().id, copied);
  }
  void execute() {
    alignas(kCacheLine) char room[512];  // enough for most
    std::pmr::monotonic_buffer_resource memory(room, sizeof room);
    auto* const own = static_cast<TaskView*>(memory.allocate(layout.bytes(), kCacheLine));
    copy(own, view());
    if (relocate != nullptr) relocate(own, *captures);
    own->routine(this_worker().id, own);
    destroy(own);
  }
};

// A task that is being recorded: what its copy begins with, and what it is made of.
struct Original {
  RelocatedTask header;
  TaskView* view;
};

const char* reason_against(const Task& task, const ViewLayout& layout, Relocate* relocate, Clone* clone) {
  if ((task.flags & Task::kMayMove) != 0) return "a task is untied (not yet)";
  if (task.is_detachable()) return "a task has an event (not yet)";
  if (layout.shareds_bytes != 0 && relocate == nullptr) return "a task shares variables of another function";
  if (destroys(task) && clone == nullptr) return "a task captures an object without a way to copy it";
  return nullptr;
}

void record_replayable(Member& me, TaskView* view, std::span<const Dependence> dependences,
                       Relocate* relocate, Clone* clone) {
  const Task& task = task_of(view);
  const ViewLayout layout = layout_of(task);
  if (const char* const against = reason_against(task, layout, relocate, clone))
    return refuse_to_record(me, against);
  Original original{{layout, relocate, clone, destroys(task), &me.context.taskgraph->slot->captures}, view};
  TaskBody body;
  body.run = [](void*, void* data) { static_cast<RelocatedTask*>(data)->execute(); };
  body.code = reinterpret_cast<void*>(view->routine);
  body.data = &original;
  body.bytes = original.header.bytes();
  body.alignment = alignof(RelocatedTask);
  body.keeps_data = true;
  body.copy = [](void* to, void* from) {
    const Original& recorded = *static_cast<Original*>(from);
    const NotRecording here(this_member());  // what a copy constructor does is no part of the region
    auto* const kept = new (to) RelocatedTask(recorded.header);
    kept->copy(kept->view(), recorded.view);
  };
  if (original.header.has_destructors) {
    body.destroy = [](void* data) {
      auto* const kept = static_cast<RelocatedTask*>(data);
      kept->destroy(kept->view());
    };
  }
  body.priority = priority_of(*view);
  body.flags = task.flags & Task::kFinal;
  record_task(me, body, dependences, Gate::kNo);
}

struct ReplayableConstruct : Construct {
  Relocate* relocate;
  Clone* clone;

  void defer(Member& me, Where where) const { create_deferrable(me, *this, where); }
  void record(Member& me) const {
    DependenceList dependences;
    kmpc::read_dependences(count, items, dependences);
    record_replayable(me, view, dependences.span(), relocate, clone);
  }
};

}  // namespace

/// Returns 1 where the caller is to create the region's tasks, 0 where they were executed already.
HEDDLE_EXPORT std::int32_t __kmpc_start_record_task(Ident*, Gtid, std::int32_t, std::int32_t number) {
  const TaskgraphClauses clauses{.id = static_cast<std::uint32_t>(number),
                                 .frame = __builtin_frame_address(0)};
  return enter_taskgraph(this_member(), g_numbered, clauses) ? 1 : 0;
}

/// Where KMP_TDG_DOT is true in the environment now, the record is drawn into tdg_NUMBER.dot, as LLVM's
/// runtime does.
HEDDLE_EXPORT void __kmpc_end_record_task(Ident*, Gtid, std::int32_t, std::int32_t number) {
  Member& me = this_member();
  if (!is_in_taskgraph(me, g_numbered, static_cast<std::uint32_t>(number))) return;
  const char* const draws = is_recording(me) ? heddle::environment("KMP_TDG_DOT") : nullptr;
  if (draws != nullptr && parse_bool(draws).value_or(false)) {
    const std::string name = std::to_string(number);
    write_dot(Recording(*me.context.taskgraph->task_log, false), "TDG_" + name, "tdg_" + name + ".dot");
  }
  leave_taskgraph(me);
}

/// The whole construct: body(captures) creates the region's tasks, where that was not recorded.
HEDDLE_EXPORT void __kmpc_taskgraph(Ident*, Gtid, void** handle, std::uint64_t graph_id,
                                    std::int32_t graph_reset, std::int32_t nogroup, void (*body)(void*),
                                    void* captures) {
  const TaskgraphClauses clauses{.where = __builtin_return_address(0),
                                 .id = graph_id,
                                 .frame = handle,
                                 .resets = graph_reset != 0,
                                 .nogroup = nogroup != 0,
                                 .relocates = true,
                                 .captures = captures};
  if (!enter_taskgraph(this_member(), *reinterpret_cast<GraphConstruct*>(handle), clauses)) return;
  body(captures);
  leave_taskgraph(this_member());
}

/// A replayable task. What its flags and sizes say is known since its allocation.
HEDDLE_EXPORT std::int32_t __kmpc_taskgraph_task(Ident*, Gtid, TaskView* view, std::int32_t, std::size_t,
                                                 std::size_t, std::int32_t count, DependInfo* items,
                                                 Relocate* relocate, Clone* clone) {
  create(this_member(),
         ReplayableConstruct{{view, count, items, __builtin_return_address(0)}, relocate, clone});
  return 0;
}

/// taskwait with dependences.
HEDDLE_EXPORT void __kmpc_taskgraph_taskwait(Ident*, Gtid, std::int32_t count, DependInfo* items) {
  DependenceList dependences;
  read_dependences(count, items, dependences);
  taskwait_depend(this_member(), dependences.span());
}
