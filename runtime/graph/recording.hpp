// The kinds of nodes that no log has.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "base/address_hash.hpp"
#include "deps/access.hpp"
#include "graph/access_history.hpp"
#include "graph/task_log.hpp"
#include "mem/large_blocks.hpp"

namespace heddle {

class NodeKinds {
 public:
  NodeKinds() = default;
  NodeKinds(const NodeKinds&) = delete;
  NodeKinds& operator=(const NodeKinds&) = delete;

  /// The one that is equal. It stays as long as this.
  const NodeKind& like(const NodeKind& kind) {
    if (last_ == nullptr || *last_ != kind) last_ = &*all_.insert(kind).first;
    return *last_;
  }

 private:
  struct Hash {
    std::size_t operator()(const NodeKind& kind) const {
      return hash_of(hash_of(kind.code) ^ static_cast<std::uint32_t>(kind.priority));
    }
  };
  std::unordered_set<NodeKind, Hash> all_;
  const NodeKind* last_ = nullptr;
};

// Which tasks of a taskgraph region wait for which: what follows from its task_log, or what the program said.
//
// Words
//   node      a task of the region, in the order of creation; a *join* is a node without a body
//   gate      a node that everything created after it waits for: a taskwait, an undeferred task, the end of a
//             taskgroup or of a taskloop. What the region's own code does between two nodes is not recorded
//   carried   an edge from a node of one execution of the region to one of the next
//
// Invariant: edges lead from a lower index to a higher one.

/// A task of a region, without what it waits for. Its data stay where they are.
struct RecordedTask : NodeKind {
  char* data = nullptr;
  GraphEvent* event = nullptr;  // of a detachable one
};

struct RecordedNode : GraphNode {
  std::uint32_t first_predecessor = 0;  // see Recording::predecessors_of()
  std::uint8_t successors = 0;          // kMany: so many or more
  bool has_event = false;               // Recording::event_of() says which

  static constexpr std::uint8_t kMany = UINT8_MAX;
};

class Recording {
 public:
  /// overlaps: executions of the region may, since it does not wait for its tasks.
  explicit Recording(bool overlaps = false) : overlaps_(overlaps) {}
  /// What the log says. Requires: it outlives this, and what is made of it.
  Recording(const TaskLog& task_log, bool overlaps);
  Recording(const Recording&) = delete;
  Recording& operator=(const Recording&) = delete;

  /// A gate where the region's code goes on only when the task is complete.
  void add_task(const RecordedTask& task, std::span<const Dependence> dependences, Gate gate) {
    add_task({&kinds_->like(task), task.data}, task.event, dependences, gate);
  }
  /// A task that waits for these, ascending, each once.
  void add_task(const RecordedTask& task, std::span<const NodeIndex> predecessors) {
    add({&kinds_->like(task), task.data}, predecessors);
  }
  /// taskwait; with dependences: for those tasks only.
  void add_wait();
  void add_wait(std::span<const Dependence> dependences);
  void begin_group();
  void end_group();

  /// Those that nodes refer to, but for what the log has.
  std::shared_ptr<const NodeKinds> kinds() const { return kinds_; }
  std::span<const RecordedNode> nodes() const { return {nodes_.data(), nodes_.size()}; }
  /// The event of a node; null where it has none.
  GraphEvent* event_of(NodeIndex node) const { return nodes_[node].has_event ? events_.at(node) : nullptr; }
  /// Ascending.
  std::span<const NodeIndex> predecessors_of(NodeIndex node) const {
    const std::size_t first = nodes_[node].first_predecessor;
    const std::size_t end = node + 1 < nodes_.size() ? nodes_[node + 1].first_predecessor : edges_.size();
    return {edges_.data() + first, end - first};
  }

  struct CarriedEdge {
    NodeIndex from, to;  // to: of the next execution; it may be `from`
  };
  bool overlaps() const { return overlaps_; }
  /// Those that let one execution begin before the one before it has ended. Nothing where it must not: a gate
  /// stands for the region's code, which waits for it; or they would be far more than all other edges.
  /// Between two executions each node's data are used by one at a time. Requires: overlaps(). Once.
  std::optional<std::vector<CarriedEdge>> find_carried();

 private:
  void add_entry(const TaskLog::Run& run, const TaskLog::Entry& entry, std::vector<Dependence>& room);
  void add_task(const GraphNode& node, GraphEvent* event, std::span<const Dependence> dependences, Gate gate);
  RecordedNode& add(const GraphNode& node, std::span<const NodeIndex> predecessors);
  NodeIndex add_join(std::span<const NodeIndex> predecessors);
  void add_edge(NodeIndex predecessor) {
    edges_.push_back(predecessor);
    std::uint8_t& successors = nodes_[predecessor].successors;
    if (successors < RecordedNode::kMany) ++successors;
  }
  void gate_since(NodeIndex first);
  void keep_accesses(NodeIndex node, std::span<const Dependence> dependences);

  const bool overlaps_;
  const std::shared_ptr<NodeKinds> kinds_ = std::make_shared<NodeKinds>();
  LargeVector<RecordedNode> nodes_;
  LargeVector<NodeIndex> edges_;  // predecessors, node by node
  std::vector<NodeIndex> ends_;
  AccessHistory history_;
  std::vector<NodeIndex> groups_;  // open ones: the first node of each
  std::unordered_map<NodeIndex, GraphEvent*> events_;
  struct Accesses {
    NodeIndex node;
    std::uint32_t first, count;  // of dependences_
  };
  LargeVector<Accesses> accesses_;  // where executions may overlap
  LargeVector<Dependence> dependences_;
  NodeIndex gate_ = kNoGate;
  NodeIndex full_gate_ = 0;  // the last that waits for everything before it; 0: none

  static constexpr NodeIndex kNoGate = UINT32_MAX;
};

}  // namespace heddle
