#include "graph/graph.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "graph/segments.hpp"
#include "sys/fatal.hpp"

namespace heddle {
Graph::Graph(Recording& recording, Bundles bundles) : kinds_(recording.kinds()) {
  std::optional<std::vector<Recording::CarriedEdge>> carried;
  if (recording.overlaps()) carried = recording.find_carried();
  overlaps_ = carried.has_value();
  // A bundle waits for everything that any of its nodes does: executions would overlap less.
  if (overlaps_) bundles = Bundles::kNone;
  build(recording, bundles, overlaps_ ? *carried : std::vector<Recording::CarriedEdge>{});
  HEDDLE_ASSERT(is_valid());
}

bool Graph::is_valid() const {
  const auto count = static_cast<SegmentIndex>(segments().size());
  std::vector<std::uint32_t> arriving(count, 0), carried(count, 0);
  std::size_t nodes = 0;
  for (SegmentIndex s = 0; s < count; ++s) {
    const GraphSegment& segment = segments_[s];
    if (segment.first_node != nodes || segment.nodes == 0) return false;
    if (segment.is_bundle() && segment.bundle >= bundles_) return false;
    nodes += segment.nodes;
    for (const SegmentIndex to : successors_of(s)) {
      if (to <= s || to >= count) return false;
      ++arriving[to];
    }
    for (const SegmentIndex to : carried_from(s)) {
      if (to >= count) return false;
      ++carried[to];
    }
  }
  if (nodes != nodes_.size()) return false;
  std::size_t roots = 0;
  for (SegmentIndex s = 0; s < count; ++s) {
    const GraphSegment& segment = segments_[s];
    if (segment.predecessors != arriving[s]) return false;
    if (segment.awaits != std::max(arriving[s], 1u) + carried[s]) return false;
    roots += arriving[s] == 0;
  }
  return roots == roots_.size() && (overlaps_ || carried_.empty());
}

void Graph::build(const Recording& recording, Bundles bundles,
                  std::span<const Recording::CarriedEdge> carried) {
  const std::span<const RecordedNode> nodes = recording.nodes();
  const Segments found = find_segments(recording, bundles);
  const std::size_t count = found.all.size();

  segments_.resize(count + 1);
  std::uint32_t next = 0;
  for (std::size_t s = 0; s < count; ++s) {
    const Segment& from = found.all[s];
    const RecordedNode& last = nodes[from.last];
    GraphSegment& segment = segments_[s];
    segment.first_node = next;
    next += from.nodes;
    segment.priority = last.kind->priority;
    has_priorities_ |= segment.priority != 0;
    segment.flags = last.kind->flags;
    if (from.is_bundle) segment.bundle = bundles_++;
    if (GraphEvent* const event = recording.event_of(from.last))
      detachables_.push_back({static_cast<SegmentIndex>(s), event});
  }
  // Segments in the order of their first nodes; within each, its nodes as they were recorded.
  nodes_.resize(nodes.size());
  for (NodeIndex i = 0; i < nodes.size(); ++i) {
    GraphSegment& segment = segments_[found.segment_of[i]];
    nodes_[segment.first_node + segment.nodes++] = nodes[i];
    tasks_ += nodes[i].is_join() ? 0 : 1;
  }

  // A node waits for none twice; the first of a segment waits for all that the segment waits for.
  const auto first_successor = [&](std::size_t s) -> std::uint32_t& { return segments_[s].first_successor; };
  fill_edge_lists(segments_.size(), first_successor, successors_, [&](auto&& visit) {
    for (NodeIndex i = 0; i < nodes.size(); ++i) {
      if (!found.stands_for_arrivals(i)) continue;
      for (const NodeIndex p : recording.predecessors_of(i))
        if (found.stands_for_departures(p)) visit(found.segment_of[p], found.segment_of[i]);
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

}  // namespace heddle
