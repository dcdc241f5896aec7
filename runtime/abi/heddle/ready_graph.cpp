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
  static constexpr std::size_t kNoRows = 0;
  if (count == 0) first_successor = &kNoRows;  // there may be no arrays
  const char* wrong = nullptr;
  if (count > Recording::kMostNodes) wrong = "it has more than 16 million tasks";
  if (first_successor == nullptr || (count > 0 && tasks == nullptr))
    wrong = "its tasks or first successors are null";
  ReadyGraph* graph = nullptr;
  if (wrong == nullptr) {
    Member& me = this_member();
    std::vector<ReadyMadeTask> made;
    made.reserve(count);
    for (const heddle_graph_task_t& task : std::span(tasks, count))
      made.push_back({task.run, task.data, std::clamp(task.priority, 0, settings().max_task_priority)});
    graph = make_ready_graph(me, {made, {first_successor, count + 1}, successors},
                             __builtin_return_address(0), &wrong);
  }
  if (wrong != nullptr) warn("heddle_make_graph(): %s; no graph is made", wrong);
  return reinterpret_cast<heddle_graph_t>(graph);
}

HEDDLE_EXPORT void heddle_execute_graph(heddle_graph_t graph) {
  if (graph != nullptr) execute_ready_graph(this_member(), *graph_of(graph));
}

HEDDLE_EXPORT void heddle_free_graph(heddle_graph_t graph) {
  if (graph != nullptr) free_ready_graph(graph_of(graph));
}
