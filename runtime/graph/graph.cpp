#include "graph/graph.hpp"

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>

#include "graph/edge_lists.hpp"

namespace heddle {
namespace {

GraphNode executable(const RecordedNode& node) {
  return {node.run, node.code, node.data, node.bytes, node.waits_for_descendants};
}

}  // namespace

Graph::Graph(Recording& recording, Bundles bundles) : memory_(recording.take_memory()) {
  std::optional<std::vector<Recording::CarriedEdge>> carried;
  if (recording.overlaps) carried = recording.find_carried();
  overlaps_ = carried.has_value();
  // A bundle waits for everything that any of its nodes does: executions would overlap less.
  if (overlaps_) bundles = Bundles::kNone;
  build(recording, 0, bundles, overlaps_ ? *carried : std::vector<Recording::CarriedEdge>{});
}

Graph::Graph(const Recording& recording, NodeIndex first, Bundles bundles)
    : memory_(std::make_unique<Arena>()) {
  build(recording, first, bundles, {});
}

void Graph::build(const Recording& recording, NodeIndex first, Bundles bundles,
                  std::span<const Recording::CarriedEdge> carried) {
  const RecordedPart part(recording, first);
  const Segments found = find_segments(part, bundles);
  const std::size_t count = found.last.size();

  // Segments in the order of their first nodes; within each, its nodes from the last backwards.
  segments_.resize(count + 1);
  nodes_.resize(part.size());
  std::uint32_t next = 0;
  for (std::size_t s = 0; s < count; ++s) {
    const RecordedNode& last = part[found.last[s]];
    GraphSegment& segment = segments_[s];
    segment.first_node = next;
    segment.nodes = found.length[s];
    segment.priority = last.priority;
    has_priorities_ |= segment.priority != 0;
    segment.flags = last.flags;
    if (found.is_bundle[s]) segment.bundle = bundles_++;
    if (last.event != nullptr) detachables_.push_back({static_cast<SegmentIndex>(s), last.event});
    next += segment.nodes;
    std::uint32_t at = next;
    for (std::uint32_t i = found.last[s]; i != Segments::kNone; i = found.before[i])
      nodes_[--at] = executable(part[i]);
  }
  tasks_ = static_cast<std::size_t>(
      std::ranges::count_if(nodes_, [](const GraphNode& node) { return node.run != nullptr; }));

  // A node waits for none twice; the first of a segment waits for all that the segment waits for.
  const auto first_successor = [&](std::size_t s) -> std::uint32_t& { return segments_[s].first_successor; };
  fill_edge_lists(segments_.size(), first_successor, successors_, [&](auto&& visit) {
    for (NodeIndex i = 0; i < part.size(); ++i) {
      if (found.before[i] != Segments::kNone) continue;
      part.for_each_predecessor(i, [&](NodeIndex p) {
        if (found.has_edges(p)) visit(found.segment_of[p], found.segment_of[i]);
      });
    }
  });
  for (const SegmentIndex to : successors_) ++segments_[to].predecessors;
  carry(found.segment_of, carried);
  for (SegmentIndex s = 0; s < count; ++s) {
    GraphSegment& segment = segments_[s];
    segment.awaits += std::max(segment.predecessors, 1u);
    if (segment.predecessors == 0) roots_.push_back(s);
  }
}

// Nodes of one segment may wait for several of another: once is enough.
void Graph::carry(std::span<const SegmentIndex> segment_of, std::span<const Recording::CarriedEdge> carried) {
  std::vector<std::pair<SegmentIndex, SegmentIndex>> edges;
  for (const auto& [from, to] : carried) edges.emplace_back(segment_of[from], segment_of[to]);
  std::ranges::sort(edges);
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  const auto first_carried = [&](std::size_t s) -> std::uint32_t& { return segments_[s].first_carried; };
  fill_edge_lists(segments_.size(), first_carried, carried_, [&](auto&& visit) {
    for (const auto& [from, to] : edges) visit(from, to);
  });
  for (const SegmentIndex to : carried_) ++segments_[to].awaits;
}

void GraphNode::execute() const {
  if (bytes != 0) std::memcpy(data, data + RecordedNode::image_at(bytes), bytes);
  run(code, data);
}

}  // namespace heddle
