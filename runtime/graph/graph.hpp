// A recorded region in the form in which it is executed again.
//
// Words: a *segment* is executed as one Task: a chain of nodes, or a bundle (below). A *root* is
// a segment that waits for nothing in its own execution. A graph *overlaps* if an execution of it may begin
// before the one before it has ended: its segments wait for *carried* ones of that, and roots for the
// beginning of their own. Invariant: nothing here changes after the construction, but for what nodes' data
// and times hold.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <memory_resource>
#include <span>
#include <vector>

#include "base/relaxed_atomic.hpp"
#include "graph/recording.hpp"
#include "mem/large_blocks.hpp"

namespace heddle {

// Edges sorted by where they begin: one array of ends, in which each list begins where the one before it
// ends.

/// Counts the edges of each list, sums up, and fills `ends` in. first(i), a std::uint32_t&, becomes the index
/// of the first end of list i; it is 0 before. for_each_edge(visit) calls visit(from, to) for each edge, the
/// same each time. Ensures: a list has its ends in the opposite order of the visits.
template <class First, class Ends, class ForEachEdge>
void fill_edge_lists(std::size_t lists, First&& first, Ends& ends, ForEachEdge&& for_each_edge) {
  for_each_edge([&](std::uint32_t from, std::uint32_t) { ++first(from); });
  std::uint32_t sum = 0;
  for (std::size_t i = 0; i < lists; ++i) first(i) = sum += first(i);  // where it ends, for now
  ends.resize(sum);
  for_each_edge([&](std::uint32_t from, std::uint32_t to) { ends[--first(from)] = to; });
}

// Which nodes of a recording are executed by one Task.
//
// Words
//   chain   nodes that wait for nothing but the one before them, which nothing else waits for: executed one
//           after the other
//   bundle  nodes that wait for the same, and for all of which the same wait: executed in any order, by one
//           Task until others have nothing to do
// Every node is in one segment, which is a chain, perhaps of one, or a bundle.

struct Segment {
  NodeIndex first, last;
  std::uint32_t nodes = 1;
  bool is_bundle = false;
};

struct Segments {
  LargeVector<Segment> all;               // by their first nodes
  LargeVector<std::uint32_t> segment_of;  // of a node: its index

  const Segment& of(NodeIndex node) const { return all[segment_of[node]]; }
  /// Edges to it stand for those to its whole segment, and edges from it for those from there.
  bool stands_for_arrivals(NodeIndex node) const { return of(node).first == node; }
  bool stands_for_departures(NodeIndex node) const {
    const Segment& segment = of(node);
    return (segment.is_bundle ? segment.first : segment.last) == node;
  }
};

enum class Bundles : bool { kNone, kSome };

Segments find_segments(const Recording& recording, Bundles bundles);

// The graph.

/// How often a node was executed, and how long that took in all, what its own waits executed included.
struct NodeTime {
  RelaxedAtomic<std::uint64_t> times{0};
  RelaxedAtomic<std::uint64_t> ns{0};
};

struct GraphSegment {
  static constexpr std::uint32_t kNoBundle = UINT32_MAX;

  std::uint32_t first_node = 0;
  std::uint32_t nodes = 0;
  std::uint32_t first_successor = 0;
  std::uint32_t first_carried = 0;
  std::uint32_t predecessors = 0;  // in the same execution
  std::uint32_t awaits = 0;        // in all: those carried as well, and a root the beginning
  std::uint32_t bundle = kNoBundle;
  std::int32_t priority = 0;
  std::uint16_t flags = 0;  // of its Task

  bool is_bundle() const { return bundle != kNoBundle; }
};

/// Where in the program its region begins, and its graph_id: for reports.
struct GraphOrigin {
  const void* where = nullptr;
  std::uint64_t id = 0;
};

class Graph {
 public:
  using SegmentIndex = std::uint32_t;

  /// Of everything recorded, and what is carried where that may overlap. The nodes' data stay where they are,
  /// and so does the log.
  explicit Graph(Recording& recording, Bundles bundles = Bundles::kSome);

  std::span<const GraphNode> nodes() const { return nodes_; }
  std::span<const GraphSegment> segments() const { return std::span(segments_).first(segments_.size() - 1); }
  std::span<const SegmentIndex> roots() const { return roots_; }
  std::span<const GraphNode> nodes_of(const GraphSegment& segment) const {
    return std::span(nodes_).subspan(segment.first_node, segment.nodes);
  }
  /// Descending: what is released last is executed first. Another segment's begin where this one's end.
  std::span<const SegmentIndex> successors_of(SegmentIndex segment) const {
    const std::uint32_t first = segments_[segment].first_successor;
    return std::span(successors_).subspan(first, segments_[segment + 1].first_successor - first);
  }

  /// Of the next execution.
  std::span<const SegmentIndex> carried_from(SegmentIndex segment) const {
    const std::uint32_t first = segments_[segment].first_carried;
    return std::span(carried_).subspan(first, segments_[segment + 1].first_carried - first);
  }
  bool overlaps() const { return overlaps_; }
  std::size_t carried() const { return carried_.size(); }
  /// Between segments, in one execution.
  std::size_t edges() const { return successors_.size(); }

  /// Lets every node have its time. Before it is executed for the first time.
  void measure() { times_ = std::make_unique<NodeTime[]>(nodes_.size()); }
  bool is_measured() const { return times_ != nullptr; }
  /// Null where the graph is not measured. Requires: the node is one of nodes().
  NodeTime* time_of(const GraphNode& node) const {
    return times_ != nullptr ? &times_[static_cast<std::size_t>(&node - nodes_.data())] : nullptr;
  }

  void set_origin(const GraphOrigin& origin) { origin_ = origin; }
  const GraphOrigin& origin() const { return origin_; }

  struct Detachable {
    SegmentIndex segment;  // with one node
    GraphEvent* event;
  };
  std::span<const Detachable> detachables() const { return detachables_; }
  /// Requires: the segment's task is detachable.
  GraphEvent& event_of(SegmentIndex segment) const {
    return *std::ranges::lower_bound(detachables_, segment, {}, &Detachable::segment)->event;
  }
  /// Whether segments may be executed in the order of their numbers, one after the other, as soon as the one
  /// before has returned: no task has a priority, or an event.
  bool may_be_replayed_serially() const { return !has_priorities_ && detachables_.empty(); }
  /// Whether each segment has nodes, waits for as many as lead to it, and is waited for by later ones alone.
  bool is_valid() const;
  /// What it takes, bytes.
  std::size_t bytes() const {
    return sizeof *this + nodes_.size() * (sizeof(GraphNode) + (is_measured() ? sizeof(NodeTime) : 0)) +
           segments_.size() * sizeof(GraphSegment) +
           (successors_.size() + carried_.size() + roots_.size()) * sizeof(SegmentIndex) +
           detachables_.size() * sizeof(Detachable);
  }
  /// Bundles are numbered from 0.
  std::uint32_t bundles() const { return bundles_; }
  /// Nodes that are no joins.
  std::size_t tasks() const { return tasks_; }

 private:
  void build(const Recording& recording, Bundles bundles, std::span<const Recording::CarriedEdge> carried);
  void carry(std::span<const SegmentIndex> segment_of, std::span<const Recording::CarriedEdge> carried);

  std::shared_ptr<const NodeKinds> kinds_;                                  // of nodes that no log has
  std::pmr::monotonic_buffer_resource memory_{&LargeBlocks::of_process()};  // of what follows
  std::pmr::vector<GraphNode> nodes_{&memory_};                             // segment by segment
  std::pmr::vector<GraphSegment> segments_{&memory_};    // and one more, whose successors would come next
  std::pmr::vector<SegmentIndex> successors_{&memory_};  // segment by segment
  std::pmr::vector<SegmentIndex> carried_{&memory_};     // segment by segment
  std::vector<SegmentIndex> roots_;
  std::vector<Detachable> detachables_;  // ascending
  std::unique_ptr<NodeTime[]> times_;
  std::uint32_t bundles_ = 0;
  bool overlaps_ = false;
  bool has_priorities_ = false;
  std::size_t tasks_ = 0;
  GraphOrigin origin_;
};

}  // namespace heddle
