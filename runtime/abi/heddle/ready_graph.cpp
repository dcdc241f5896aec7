// heddle.h: ready-made graphs.
#include "replay/ready_graph.hpp"

#include <cstddef>

#include "abi/export.hpp"
#include "heddle.h"
#include "icv/settings.hpp"
#include "sys/fatal.hpp"

using namespace heddle;

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
