#include "graph/instance.hpp"

#include <new>
#include <utility>

namespace heddle {

GraphInstance::GraphInstance(const Graph& graph, Task::Body body, bool is_first)
    : graph_(graph), body_(body), tasks_(new Slot[graph.segments().size()]) {
  for (Graph::SegmentIndex s = 0; s < tasks(); ++s) arm(task(s), graph.segments()[s]);
  if (!is_first) return;
  for (Graph::SegmentIndex s = 0; s < tasks(); ++s)
    for (const Graph::SegmentIndex to : graph.carried_from(s))
      task(to).pending.fetch_sub(1, std::memory_order_relaxed);
}

Graph::SegmentIndex GraphInstance::segment_of(const Task& task) const {
  const auto* const slot = reinterpret_cast<const Slot*>(reinterpret_cast<const char*>(&task) - kBefore);
  return static_cast<Graph::SegmentIndex>(slot - tasks_.get());
}

bool GraphInstance::is_ready_for(const Task& parent) const {
  return parent_ == &parent && environment_ == parent.environment && depth_ == parent.depth &&
         !is_stale_.load(std::memory_order_relaxed);
}

TaskGroup& GraphInstance::prepare(Task& parent, TaskGroup* counts_too) {
  TaskGroup& group = group_.emplace(parent.group, counts_too);
  if (is_ready_for(parent)) return group;
  parent_ = &parent;
  environment_ = parent.environment;
  depth_ = parent.depth;
  TaskGroup* const around = std::exchange(parent.group, &group);  // what the tasks inherit
  for (Graph::SegmentIndex s = 0; s < tasks(); ++s) {
    const GraphSegment& segment = graph_.segments()[s];
    const std::uint32_t pending = task(s).pending.load(std::memory_order_relaxed);
    Task& task = *new (&tasks_[s].task) Task(parent, nullptr, sizeof(Task), segment.flags);
    task.body = body_;
    task.code = graph_.nodes_of(segment).front().code;
    task.data = this;
    task.priority = segment.priority;
    task.pending.store(pending, std::memory_order_relaxed);
  }
  parent.group = around;
  is_stale_.store(false, std::memory_order_relaxed);
  return group;
}

}  // namespace heddle
