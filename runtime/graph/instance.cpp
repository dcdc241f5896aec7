#include "graph/instance.hpp"

#include <new>

namespace heddle {

GraphInstance::GraphInstance(const Graph& graph, Task::Body body)
    : graph_(graph), body_(body), tasks_(new Slot[graph.segments().size()]) {}

Graph::SegmentIndex GraphInstance::segment_of(const Task& task) const {
  const auto* const slot = reinterpret_cast<const Slot*>(reinterpret_cast<const char*>(&task) - kBefore);
  return static_cast<Graph::SegmentIndex>(slot - tasks_.get());
}

TaskGroup& GraphInstance::prepare(Task& parent) {
  parent.group = &group_.emplace(parent.group);
  const bool is_same = parent_ == &parent && environment_ == parent.environment && depth_ == parent.depth;
  if (is_same && !is_stale_.load(std::memory_order_relaxed)) return *group_;
  parent_ = &parent;
  environment_ = parent.environment;
  depth_ = parent.depth;
  for (Graph::SegmentIndex s = 0; s < tasks(); ++s) {
    const GraphSegment& segment = graph_.segments()[s];
    Task& task = *new (&tasks_[s].task) Task(parent, nullptr, sizeof(Task), segment.flags);
    task.body = body_;
    task.code = graph_.nodes_of(segment).front().code;
    task.data = this;
    task.priority = segment.priority;
    task.pending.store(segment.predecessors, std::memory_order_relaxed);
  }
  is_stale_.store(false, std::memory_order_relaxed);
  return *group_;
}

}  // namespace heddle
