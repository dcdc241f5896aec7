#include "graph/instance.hpp"

namespace heddle {

GraphInstance::GraphInstance(const Graph& graph, bool is_first)
    : graph_(graph), pending_(new std::atomic<std::uint32_t>[graph.segments().size()]) {
  for (Graph::SegmentIndex s = 0; s < tasks(); ++s)
    pending_[s].store(graph.segments()[s].awaits, std::memory_order_relaxed);
  if (!is_first) return;
  for (Graph::SegmentIndex s = 0; s < tasks(); ++s)
    for (const Graph::SegmentIndex to : graph.carried_from(s))
      pending_[to].fetch_sub(1, std::memory_order_relaxed);
}

TaskGroup& GraphInstance::begin(Task& parent, TaskGroup* counts_too) {
  ahead_.clear();
  is_told_ = false;
  TaskGroup& group = group_.emplace(parent.group, counts_too);
  inherited_ = Task::Inherited(parent, &group);
  if (ring_ != nullptr) number_.store(ring_->begun++, std::memory_order_relaxed);
  for (const auto& [segment, event] : graph_.detachables()) event->expect();
  return group;
}

void GraphInstance::make_tasks_ahead(MemoryCache& cache) {
  is_told_ = has_tool();
  for (Graph::SegmentIndex s = 0; s < tasks(); ++s) ahead_.push_back(&new_task(s, cache));
}

}  // namespace heddle
