// What a taskgraph region has recorded, or a program has handed over, in the forms in which it is executed:
// as a log, which one member executes task by task; as a graph, which a team executes.
//
// The graph is made of the log when it is asked for: a record that is only ever replayed serially does
// without.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>

#include "graph/graph.hpp"
#include "graph/task_log.hpp"

namespace heddle {

class Record {
 public:
  /// overlaps: executions of it may.
  Record(std::unique_ptr<TaskLog> task_log, bool overlaps, GraphOrigin origin)
      : task_log_(std::move(task_log)), overlaps_(overlaps), origin_(origin) {}
  Record(Recording& recording, Bundles bundles, GraphOrigin origin)
      : overlaps_(recording.overlaps()), origin_(origin) {
    make(recording, bundles);
  }
  Record(const Record&) = delete;
  Record& operator=(const Record&) = delete;

  /// Null of what the program has handed over.
  const TaskLog* task_log() const { return task_log_.get(); }
  /// Null where it was not made yet.
  const Graph* graph() const { return graph_.get(); }
  /// Made on first use. Requires, for that: nobody else uses the record.
  const Graph& graph(Bundles bundles) {
    if (graph_ == nullptr) {
      Recording recording(*task_log_, overlaps_);
      make(recording, bundles);
    }
    return *graph_;
  }
  /// Lets every node have its time. Before it is executed for the first time.
  void measure(Bundles bundles) {
    graph(bundles);
    graph_->measure();
  }

  /// Whether its tasks may be executed in the order of their creation, each as soon as the one before has
  /// returned: none has a priority, or an event.
  bool may_be_replayed_serially() const {
    return task_log_ != nullptr ? !task_log_->has_priorities() && !task_log_->has_events()
                                : graph_->may_be_replayed_serially();
  }
  /// What it takes, bytes.
  std::size_t bytes() const {
    return sizeof *this + (task_log_ != nullptr ? task_log_->bytes() : 0) +
           (graph_ != nullptr ? graph_->bytes() : 0);
  }
  std::size_t tasks() const { return task_log_ != nullptr ? task_log_->tasks() : graph_->tasks(); }
  bool overlaps() const { return overlaps_; }
  /// For another log in its memory; null where there is none. The record is not to be used any more.
  std::unique_ptr<TaskLog> take_log() { return std::move(task_log_); }

 private:
  void make(Recording& recording, Bundles bundles) {
    graph_ = std::make_unique<Graph>(recording, bundles);
    graph_->set_origin(origin_);
  }

  std::unique_ptr<TaskLog> task_log_;
  std::unique_ptr<Graph> graph_;
  const bool overlaps_;
  const GraphOrigin origin_;
};

}  // namespace heddle
