// heddle.h: taskgraph regions.
#include <cstddef>

#include "abi/export.hpp"
#include "heddle.h"
#include "icv/settings.hpp"
#include "replay/ready_graph.hpp"
#include "replay/taskgraph.hpp"
#include "sys/fatal.hpp"

using namespace heddle;

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

// -- heddle.h: ready-made graphs.

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
