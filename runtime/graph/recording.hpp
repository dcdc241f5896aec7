// What a taskgraph region creates while it is executed for the first time: its tasks, and what they wait for.
//
// Words
//   node      a task of the region, in the order of creation; a *join* is a node without a body
//   gate      a node that everything created after it waits for: a taskwait, an undeferred task, the end of a
//             taskgroup or of a taskloop. What the region's own code does between two nodes is not recorded
//   image     a copy of a task's data, taken before its body could change it. Data that *move* need none: the
//             body gets a copy on its stack
//   carried   an edge from a node of one execution of the region to one of the next
//
// Invariant: edges lead from a lower index to a higher one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <memory_resource>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/plain_array.hpp"
#include "deps/access.hpp"
#include "graph/access_history.hpp"
#include "graph/graph_event.hpp"

namespace heddle {

/// Memory that is given back all at once, and the objects in it that are to be destroyed before.
class Arena : public std::pmr::monotonic_buffer_resource {
 public:
  Arena() = default;
  ~Arena() override {
    for (const auto& [destroy, object] : objects_) destroy(object);
  }
  void destroy_at_end(void (*destroy)(void*), void* object) { objects_.emplace_back(destroy, object); }

 private:
  std::vector<std::pair<void (*)(void*), void*>> objects_;
};

/// How a node is executed: code and data are a TaskBody's.
using RunNode = void (*)(void* code, void* data);

/// A task that is being created, without what it depends on.
struct TaskBody {
  RunNode run = nullptr;
  void* code = nullptr;
  const void* data = nullptr;
  std::size_t bytes = 0;
  std::size_t alignment = 1;                     // a power of two
  void (*copy)(void* to, void* data) = nullptr;  // where copying bytes is not enough
  void (*destroy)(void* data) = nullptr;         // what was copied, when it is not needed any more
  bool keeps_data = false;                       // leaves its data as they are: there is no image
  // They mean the same at any address, and nobody uses them when run() has returned.
  bool data_may_move = false;
  std::int32_t priority = 0;
  unsigned flags = 0;                  // of Task: those that its body can tell
  GraphEvent* event = nullptr;         // of a detachable one
  bool waits_for_descendants = false;  // it is not complete before they are
  bool is_of_group = false;  // it sets up or ends the taskgroup around it, and is in none of its own
};

struct RecordedNode {
  RunNode run = nullptr;  // null: a join
  void* code = nullptr;
  char* data = nullptr;     // what the body gets, with the image behind it; or what it gets a copy of
  std::uint32_t bytes = 0;  // of the image or the copy, in whole words
  std::int32_t priority = 0;
  std::uint32_t first_predecessor = 0;  // Recording::predecessors_of() says who
  std::uint16_t flags = 0;
  std::uint8_t successors = 0;             // kMany: so many or more
  bool waits_for_descendants : 1 = false;  // it ends when they have: somebody waits for a group that it is in
  bool has_event : 1 = false;              // Recording::event_of() says which
  bool moves : 1 = false;

  static constexpr std::uint8_t kMany = UINT8_MAX;

  const void* image() const { return data + bytes; }
};
// There may be millions, and memory that is touched for the first time is most of what recording costs.
static_assert(sizeof(RecordedNode) == 40);

class Recording {
 public:
  static constexpr std::size_t kMostNodes = std::size_t{1} << 24;

  Recording() = default;
  Recording(const Recording&) = delete;
  Recording& operator=(const Recording&) = delete;

  enum class Gate : bool { kNo, kYes };
  /// The region's tasks capture nothing but bytes: no objects with constructors.
  bool copies_are_bytes = false;
  /// Executions of the region may overlap: it does not wait for its tasks. Set before anything is recorded.
  bool overlaps = false;

  /// A task. A gate where the region's code goes on only when it is complete.
  void add_task(const TaskBody& body, std::span<const Dependence> dependences, Gate gate);
  /// A task that waits for these, ascending, each once. Its data stay where they are. Requires: no bytes of
  /// them are to be copied.
  void add_task(const TaskBody& body, std::span<const NodeIndex> predecessors);
  /// The event of the task that is being created, for which `task` stands until add_task(). Requires: not
  /// overlaps; there is one event for all executions.
  GraphEvent& event_of(const void* task);
  /// The event of a node; null where it has none.
  GraphEvent* event_of(NodeIndex node) const {
    return nodes_[node].has_event ? node_events_.at(node) : nullptr;
  }
  /// taskwait; with dependences: for those tasks only.
  void add_wait();
  void add_wait(std::span<const Dependence> dependences);
  void begin_group();
  void end_group();

  std::span<const RecordedNode> nodes() const { return {nodes_.data(), nodes_.size()}; }
  /// Nodes before this one have been executed while others were recorded.
  NodeIndex executed() const { return executed_; }
  void set_executed() { executed_ = static_cast<NodeIndex>(nodes_.size()); }
  std::size_t edges() const { return edges_.size(); }

  struct CarriedEdge {
    NodeIndex from, to;  // to: of the next execution; it may be `from`
  };
  /// Those that let one execution begin before the one before it has ended. Nothing where it must not: a gate
  /// stands for the region's code, which waits for it; or they would be far more than all other edges.
  /// Between two executions each node's data are used by one at a time. Requires: overlaps. Once.
  std::optional<std::vector<CarriedEdge>> find_carried();

  /// Ascending.
  std::span<const NodeIndex> predecessors_of(NodeIndex node) const {
    const std::size_t first = nodes_[node].first_predecessor;
    const std::size_t end = node + 1 < nodes_.size() ? nodes_[node + 1].first_predecessor : edges_.size();
    return {edges_.data() + first, end - first};
  }
  /// Moves the images' memory to who executes them.
  std::unique_ptr<Arena> take_memory() { return std::move(memory_); }

 private:
  RecordedNode& add(std::span<const NodeIndex> predecessors);
  RecordedNode& add(const TaskBody& body, std::span<const NodeIndex> predecessors);
  NodeIndex add_join(std::span<const NodeIndex> predecessors);
  void add_edge(NodeIndex predecessor) {
    edges_.push_back(predecessor);
    std::uint8_t& successors = nodes_[predecessor].successors;
    if (successors < RecordedNode::kMany) ++successors;
  }
  void gate_since(NodeIndex first);
  void keep_accesses(NodeIndex node, std::span<const Dependence> dependences);
  void copy_data(const TaskBody& body, RecordedNode& node);

  std::unique_ptr<Arena> memory_ = std::make_unique<Arena>();
  PlainArray<RecordedNode> nodes_;
  PlainArray<NodeIndex> edges_;  // predecessors, node by node
  std::vector<NodeIndex> ends_;
  AccessHistory history_;
  std::vector<NodeIndex> groups_;                        // open ones: the first node of each
  std::unordered_map<const void*, GraphEvent*> events_;  // of tasks that are not added yet
  std::unordered_map<NodeIndex, GraphEvent*> node_events_;
  struct Accesses {
    NodeIndex node;
    std::uint32_t first, count;  // of dependences_
  };
  std::vector<Accesses> accesses_;  // where executions may overlap
  std::vector<Dependence> dependences_;
  NodeIndex gate_ = kNoGate;
  NodeIndex full_gate_ = 0;  // the last that waits for everything before it; 0: none
  NodeIndex executed_ = 0;

  static constexpr NodeIndex kNoGate = UINT32_MAX;
};

}  // namespace heddle
