// heddle.h: ready-made graphs.
#include "team/ready_graph.hpp"

#include <algorithm>
#include <vector>

#include "abi/export.hpp"
#include "heddle.h"
#include "sys/fatal.hpp"
#include "team/settings.hpp"

using namespace heddle;

namespace {

ReadyGraph* graph_of(heddle_graph_t handle) {
  return reinterpret_cast<ReadyGraph*>(handle);
}

}  // namespace

HEDDLE_EXPORT heddle_graph_t heddle_make_graph(std::size_t count, const heddle_graph_task_t* tasks,
                                               const std::size_t* first_successor,
                                               const std::size_t* successors) {
  Member& me = this_member();
  std::vector<ReadyMadeTask> made;
  made.reserve(count);
  for (const heddle_graph_task_t& task : std::span(tasks, count))
    made.push_back({task.run, task.data, std::clamp(task.priority, 0, settings().max_task_priority)});
  const char* wrong = nullptr;
  ReadyGraph* const graph = make_ready_graph(me, {made, {first_successor, count + 1}, successors},
                                             __builtin_return_address(0), &wrong);
  if (graph == nullptr) warn("heddle_make_graph(): %s; no graph is made", wrong);
  return reinterpret_cast<heddle_graph_t>(graph);
}

HEDDLE_EXPORT void heddle_execute_graph(heddle_graph_t graph) {
  if (graph != nullptr) execute_ready_graph(this_member(), *graph_of(graph));
}

HEDDLE_EXPORT void heddle_free_graph(heddle_graph_t graph) {
  if (graph != nullptr) free_ready_graph(graph_of(graph));
}
