// heddle.h: what programs may ask of this runtime and of no other.

#include <cstddef>
#include <cstdio>
#include <string>

#include "abi/export.hpp"
#include "heddle.h"
#include "icv/settings.hpp"
#include "replay/ready_graph.hpp"
#include "replay/taskgraph.hpp"
#include "report/task_list.hpp"
#include "report/wait_report.hpp"
#include "suspend/continuation.hpp"
#include "suspend/polling.hpp"
#include "suspend/suspension.hpp"
#include "sys/fatal.hpp"
#include "tasking/execute.hpp"
#include "tasking/request.hpp"
#include "tasking/throttle.hpp"
#include "team/team.hpp"

using namespace heddle;

// -- waits, throttle, background tasks, handles and pollers

namespace {

Task* task_of(heddle_task_t handle) {
  return reinterpret_cast<Task*>(handle);
}

}  // namespace

HEDDLE_EXPORT int heddle_version() {
  return HEDDLE_VERSION_NUMBER;
}

HEDDLE_EXPORT void heddle_set_wait(heddle_wait_t wait) {
  if (wait != heddle_wait_throughput && wait != heddle_wait_latency) {
    warn("heddle_set_wait(%d): heddle_wait_throughput and heddle_wait_latency are known; ignored",
         static_cast<int>(wait));
    return;
  }
  change_environment(this_member(),
                     [wait](DataEnvironment& e) { e.waits_for_latency = wait == heddle_wait_latency; });
}

HEDDLE_EXPORT heddle_wait_t heddle_get_wait() {
  return environment_of(this_member()).waits_for_latency ? heddle_wait_latency : heddle_wait_throughput;
}

HEDDLE_EXPORT void heddle_set_throttle(long tasks, std::size_t bytes) {
  if (tasks < HEDDLE_HOLD) {
    warn("heddle_set_throttle(%ld, ...): a number of tasks, 0 or HEDDLE_HOLD is wanted; ignored", tasks);
    return;
  }
  Member& me = this_member();  // the first to come reads the environment
  const Throttle initial = initial_throttle();
  Throttle wanted = initial;
  if (tasks != 0) wanted.tasks = wanted.nested_tasks = tasks == HEDDLE_HOLD ? Throttle::kHold : tasks;
  if (bytes != 0) wanted.bytes = bytes;
  set_throttle(wanted);
  me.hold_at = 0;
}

HEDDLE_EXPORT void heddle_next_task_background() {
  request(this_member(), {.is_background = true});
}

HEDDLE_EXPORT void heddle_next_task_handle(heddle_task_t* task) {
  *task = nullptr;
  request(this_member(), {.handle = reinterpret_cast<Task**>(task)});
}

HEDDLE_EXPORT void heddle_next_task_transparent() {
  request_transparent(this_member(), {.is_for_all_memory = true});
}

HEDDLE_EXPORT void heddle_next_task_weak(const void* address) {
  if (address == nullptr)
    request_transparent(this_member(), {.is_weak = true});
  else
    request_transparent(this_member(), {.weak = {address}});
}

HEDDLE_EXPORT heddle_run_t heddle_run_task(heddle_task_t* task) {
  if (*task == nullptr) return heddle_run_started;
  Member& me = this_member();
  switch (run_task_now(me, *task_of(*task))) {
    case RunNow::kNotReady:
      return heddle_run_not_ready;
    case RunNow::kStarted:
      *task = nullptr;
      return heddle_run_started;
    case RunNow::kDone:
      break;
  }
  *task = nullptr;
  return heddle_run_done;
}

HEDDLE_EXPORT heddle_poller_t heddle_register_poller(void (*poll)(void*), void* argument,
                                                     unsigned interval_us) {
  constexpr std::int64_t kNsInUs = 1000;
  PollerSlot<>* const slot = add_poller(this_member(), {poll, argument, std::int64_t{interval_us} * kNsInUs});
  if (slot == nullptr)
    warn("heddle_register_poller: %d pollers are registered already; unregister one first", kMostPollers);
  return reinterpret_cast<heddle_poller_t>(slot);
}

HEDDLE_EXPORT void heddle_unregister_poller(heddle_poller_t poller) {
  if (poller != nullptr) remove_poller(*reinterpret_cast<PollerSlot<>*>(poller));
}

HEDDLE_EXPORT void heddle_free_task(heddle_task_t* task) {
  if (*task == nullptr) return;
  give_handle_back(this_member(), *task_of(*task));
  *task = nullptr;
}

// -- suspending tasks: the routines of Pereira et al., IWOMP 2023, and what heddle.h adds

namespace {

int write(const std::string& text, const char* file) {
  std::FILE* const out = std::fopen(file, "we");
  if (out == nullptr) return -1;
  const bool is_whole = std::fwrite(text.data(), 1, text.size(), out) == text.size();
  return std::fclose(out) == 0 && is_whole ? 0 : -1;
}

}  // namespace

// For `heddle attach`, which calls it by way of a debugger while every thread stands still: writes what
// each task and thread waits for, with code named by file and address. Returns 0, or -1 where the file cannot
// be written.
HEDDLE_EXPORT int heddle_write_waits_(const char* file) {
  return write(report_waits(Places::kRaw), file);
}

// For tools/gdb/heddle-gdb.py, in the same way: which tasks are executed and suspended.
HEDDLE_EXPORT int heddle_write_tasks_(const char* file) {
  return write(list_tasks(), file);
}

HEDDLE_EXPORT const void* heddle_current_task() {
  return this_member().context.task;
}

HEDDLE_EXPORT void heddle_register_waits(void (*tell)(void*, void (*)(void*, const void*, const char*),
                                                      void*),
                                         void* argument) {
  if (!add_outside_waits(tell, argument))
    warn("heddle_register_waits: no room for one more; what it knows is in no report");
}

HEDDLE_EXPORT HEDDLE_EVENT_T omp_task_continuation_event() {
  return HEDDLE_EVENT_T(
      reinterpret_cast<std::uintptr_t>(new_continuation_event(this_member(), __builtin_return_address(0))));
}

HEDDLE_EXPORT void omp_taskwait_detach(HEDDLE_EVENT_T event) {
  wait_for_continuation(this_member(), reinterpret_cast<void*>(event));
}

HEDDLE_EXPORT void heddle_task_sleep_ns(unsigned long long ns) {
  constexpr unsigned long long kLongest = INT64_MAX / 2;
  sleep_task(this_member(), static_cast<std::int64_t>(ns < kLongest ? ns : kLongest));
}

// -- taskgraph regions

// The program's handle is the construct.
static_assert(sizeof(GraphConstruct) == sizeof(heddle_taskgraph_t) &&
              alignof(GraphConstruct) == alignof(heddle_taskgraph_t));

HEDDLE_EXPORT int heddle_taskgraph_begin(heddle_taskgraph_t* construct,
                                         const heddle_taskgraph_clauses_t* clauses, const void* frame) {
  TaskgraphClauses wanted;
  wanted.where = __builtin_return_address(0);
  wanted.frame = frame != nullptr ? frame : __builtin_frame_address(0);
  if (clauses != nullptr) {
    wanted.id = clauses->graph_id;
    wanted.resets = clauses->graph_reset != 0;
    wanted.nogroup = clauses->nogroup != 0;
    wanted.if_clause = clauses->if_false == 0;
    wanted.copies_are_bytes = clauses->captures_bytes != 0;
  }
  return enter_taskgraph(this_member(), *reinterpret_cast<GraphConstruct*>(construct), wanted) ? 1 : 0;
}

HEDDLE_EXPORT void heddle_next_task_replayable(int is_replayable) {
  leave_out_next_task(this_member(), is_replayable == 0);
}

HEDDLE_EXPORT void heddle_taskgraph_end() {
  Member& me = this_member();
  if (me.context.taskgraph == nullptr || me.context.taskgraph->task != me.context.task)
    fatal("heddle_taskgraph_end(): no region is open; call it where heddle_taskgraph_begin() gave 1");
  leave_taskgraph(me);
}

// -- ready-made graphs

// The program's tasks are read as they are.
static_assert(sizeof(ReadyMadeTask) == sizeof(heddle_graph_task_t) &&
              alignof(ReadyMadeTask) == alignof(heddle_graph_task_t) &&
              offsetof(ReadyMadeTask, data) == offsetof(heddle_graph_task_t, data) &&
              offsetof(ReadyMadeTask, priority) == offsetof(heddle_graph_task_t, priority));

namespace {

ReadyGraph* graph_of(heddle_graph_t handle) {
  return reinterpret_cast<ReadyGraph*>(handle);
}

}  // namespace

HEDDLE_EXPORT heddle_graph_t heddle_make_graph(std::size_t count, const heddle_graph_task_t* tasks,
                                               const std::size_t* first_successor,
                                               const std::size_t* successors) {
  const ReadyMade wanted{count, reinterpret_cast<const ReadyMadeTask*>(tasks), first_successor, successors,
                         settings().max_task_priority};
  const char* wrong = nullptr;
  ReadyGraph* const graph = make_ready_graph(this_member(), wanted, __builtin_return_address(0), &wrong);
  if (graph == nullptr) warn("heddle_make_graph(): %s; no graph is made", wrong);
  return reinterpret_cast<heddle_graph_t>(graph);
}

HEDDLE_EXPORT void heddle_execute_graph(heddle_graph_t graph) {
  if (graph != nullptr) execute_ready_graph(this_member(), *graph_of(graph));
}

HEDDLE_EXPORT void heddle_free_graph(heddle_graph_t graph) {
  if (graph != nullptr) free_ready_graph(graph_of(graph));
}
