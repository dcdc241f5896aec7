// The tasks that execute a graph: one a segment, made once, used in every replay.
//
// Invariant: between two replays each Task is as at its construction, but for those of a replay in which
// something of a task went on after its body (is_stale_). A task arms itself for the next replay when it
// starts: everything that it waited for has been counted down by then.
//
// Several instances of a graph that overlaps stand in a ring, and are executed in turn. What a task waits for
// in the execution before it may count it down as soon as its own instance has been executed the time before:
// two tasks with a carried edge between them access the same data, so the one that is waited for comes after
// everything that the other was in earlier executions.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <optional>

#include "base/cache_line.hpp"
#include "graph/graph.hpp"
#include "task/task.hpp"
#include "task/task_group.hpp"

namespace heddle {

class GraphInstance {
 public:
  /// body: of the tasks; it finds its segment by segment_of(). is_first: there is no execution of the graph
  /// before this instance's first.
  GraphInstance(const Graph& graph, Task::Body body, bool is_first = true);
  GraphInstance(const GraphInstance&) = delete;
  GraphInstance& operator=(const GraphInstance&) = delete;

  const Graph& graph() const { return graph_; }
  std::size_t tasks() const { return graph_.segments().size(); }
  Task& task(Graph::SegmentIndex segment) { return tasks_[segment].task; }

  static GraphInstance& of(const Task& task) { return *static_cast<GraphInstance*>(task.data); }
  Graph::SegmentIndex segment_of(const Task& task) const;

  /// Makes the tasks children of `parent`, in a new taskgroup within the parent's.
  /// Requires: no replay of this instance is going on, nor of any in its ring if is_ready_for() is false.
  /// Cost: nothing a task where they were children of the same in the last replay.
  TaskGroup& prepare(Task& parent, TaskGroup* counts_too = nullptr);
  /// Whether the tasks are children of that parent, as at their construction.
  bool is_ready_for(const Task& parent) const;
  /// Of the last replay; nullptr where there was none, or all of its tasks are complete.
  TaskGroup* group() { return group_ && !group_->outstanding.is_zero() ? &*group_ : nullptr; }

  /// Who is executed next: this one where it is alone.
  GraphInstance& next() { return *next_; }
  void set_next(GraphInstance& next) { next_ = &next; }

  /// A task waits for as many as at the beginning. Threads: the one that starts it.
  void arm(Task& task, const GraphSegment& segment) {
    task.pending.store(segment.awaits, std::memory_order_relaxed);
  }

  /// A task of this replay has left children. Threads: any.
  void set_stale() { is_stale_.store(true, std::memory_order_relaxed); }

 private:
  // As the tasks of a cache: 16 bytes behind the beginning of a cache line.
  static constexpr std::size_t kBefore = 16;
  struct alignas(kCacheLine) Slot {
    std::byte before[kBefore];
    Task task;
  };
  static_assert(alignof(Task) == kBefore);

  const Graph& graph_;
  const Task::Body body_;
  std::unique_ptr<Slot[]> tasks_;
  GraphInstance* next_ = this;
  std::atomic<bool> is_stale_{true};
  // What the tasks have inherited.
  const Task* parent_ = nullptr;
  const DataEnvironment* environment_ = nullptr;
  std::uint16_t depth_ = 0;
  std::optional<TaskGroup> group_;
};

}  // namespace heddle
