#include "replay/told_replay.hpp"

#include <vector>

#include "tasking/observed.hpp"

namespace heddle {
namespace {

// An edge is known by where it stands in the graph.
Dependence dependence_on(const Graph::SegmentIndex& edge, AccessKind kind) {
  return {const_cast<Graph::SegmentIndex*>(&edge), kind, false};
}

struct Incoming {
  Graph::SegmentIndex from;
  Dependence dependence;
};

std::vector<std::vector<Incoming>> incoming_edges(const Graph& graph) {
  std::vector<std::vector<Incoming>> result(graph.segments().size());
  for (Graph::SegmentIndex s = 0; s < result.size(); ++s)
    for (const Graph::SegmentIndex& to : graph.successors_of(s))
      result[to].push_back({s, dependence_on(to, AccessKind::kIn)});
  return result;
}

}  // namespace

void tell_tasks(Member& me, GraphInstance& instance) {
  instance.make_tasks_ahead(*me.cache);
  const std::span<Task* const> tasks = instance.tasks_ahead();
  for (Task* const task : tasks) begin_observed(me, *task, GraphInstance::code_of(*task));
  if (!has_tool()) return;
  const Graph& graph = instance.graph();
  const auto incoming = incoming_edges(graph);
  std::vector<Dependence> dependences;
  // In the order of their creation: who is waited for comes first.
  for (Graph::SegmentIndex s = 0; s < tasks.size(); ++s) {
    dependences.clear();
    for (const Incoming& edge : incoming[s]) dependences.push_back(edge.dependence);
    for (const Graph::SegmentIndex& to : graph.successors_of(s))
      dependences.push_back(dependence_on(to, AccessKind::kOut));
    tell_created(me, *tasks[s], {{}, dependences});
    for (const Incoming& edge : incoming[s])
      tell_tool<ompt_callback_task_dependence_t>(
          ompt_callback_task_dependence, &tool_task(*tasks[edge.from]).data, &tool_task(*tasks[s]).data);
  }
}

}  // namespace heddle
