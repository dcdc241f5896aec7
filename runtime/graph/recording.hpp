// What a taskgraph region creates while it is executed for the first time: its tasks, and what they wait for.
//
// Words
//   node      a task of the region, in the order of creation; a *join* is a node without a body
//   gate      a node that everything created after it waits for: a taskwait, an undeferred task, the end of a
//             taskgroup or of a taskloop. What the region's own code does between two nodes is not recorded
//   image     a copy of a task's data, taken before its body could change it
//
// Invariant: edges lead from a lower index to a higher one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <memory_resource>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "deps/access.hpp"
#include "graph/access_history.hpp"

namespace heddle {

/// How a node is executed: code and data are a TaskBody's.
using RunNode = void (*)(void* code, void* data);

/// A task that is being created, without what it depends on.
struct TaskBody {
  RunNode run = nullptr;
  void* code = nullptr;
  const void* data = nullptr;
  std::size_t bytes = 0;
  std::size_t alignment = 1;       // a power of two
  bool has_own_addresses = false;  // aligned words of the data may be addresses within it
  std::int32_t priority = 0;
  unsigned flags = 0;  // of Task: those that its body can tell
};

struct RecordedNode {
  RunNode run = nullptr;  // null: a join
  void* code = nullptr;
  void* data = nullptr;         // what the body gets
  const void* image = nullptr;  // what is there when it begins
  std::uint32_t bytes = 0;
  std::int32_t priority = 0;
  std::uint16_t flags = 0;
  bool waits_for_descendants = false;  // it ends when they have: somebody waits for a group that it is in
  std::uint32_t predecessors = 0;      // how many; Recording::predecessors_of() says who
  std::size_t first_predecessor = 0;
};

class Recording {
 public:
  static constexpr std::size_t kMostNodes = std::size_t{1} << 24;

  Recording() = default;
  Recording(const Recording&) = delete;
  Recording& operator=(const Recording&) = delete;

  enum class Gate : bool { kNo, kYes };
  /// The region's tasks capture nothing but bytes: no objects with constructors.
  bool copies_are_bytes = false;

  /// A task. A gate where the region's code goes on only when it is complete.
  void add_task(const TaskBody& body, std::span<const Dependence> dependences, Gate gate,
                bool waits_for_descendants = false);
  /// taskwait; with dependences: for those tasks only.
  void add_wait();
  void add_wait(std::span<const Dependence> dependences);
  void begin_group();
  void end_group();

  /// The region cannot be executed by what is recorded. The first reason counts.
  void refuse(std::string_view reason);
  /// Empty: it can.
  const std::string& refusal() const { return refusal_; }

  std::span<const RecordedNode> nodes() const { return nodes_; }
  std::size_t edges() const { return edges_.size(); }
  /// Ascending.
  std::span<const NodeIndex> predecessors_of(const RecordedNode& node) const {
    return std::span(edges_).subspan(node.first_predecessor, node.predecessors);
  }
  /// Moves the images' memory to who executes them.
  std::unique_ptr<std::pmr::monotonic_buffer_resource> take_memory() { return std::move(memory_); }

 private:
  NodeIndex add(RecordedNode& node, std::span<const NodeIndex> predecessors);
  NodeIndex add_join(std::span<const NodeIndex> predecessors);
  void gate_since(NodeIndex first);
  void copy_data(const TaskBody& body, RecordedNode& node);

  std::unique_ptr<std::pmr::monotonic_buffer_resource> memory_ =
      std::make_unique<std::pmr::monotonic_buffer_resource>();
  std::vector<RecordedNode> nodes_;
  std::vector<NodeIndex> edges_;     // predecessors, node by node
  std::vector<bool> has_successor_;  // by node
  std::vector<NodeIndex> ends_;
  AccessHistory history_;
  std::vector<NodeIndex> groups_;  // open ones: the first node of each
  NodeIndex gate_ = kNoGate;
  NodeIndex full_gate_ = 0;  // the last that waits for everything before it; 0: none
  std::string refusal_;

  static constexpr NodeIndex kNoGate = UINT32_MAX;
};

}  // namespace heddle
