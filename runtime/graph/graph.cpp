#include "graph/graph.hpp"

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>

#include "task/task.hpp"

namespace heddle {
namespace {

constexpr std::uint32_t kNone = UINT32_MAX;

// For each node the segment that it belongs to, and for each segment its nodes in order.
struct Chains {
  std::vector<std::uint32_t> segment_of;
  std::vector<std::uint32_t> last;    // of a segment: its last node
  std::vector<std::uint32_t> before;  // of a node: the one before it in its segment, or kNone
  std::vector<std::uint16_t> length;
};

bool are_alike(const RecordedNode& a, const RecordedNode& b) {
  return a.priority == b.priority && a.flags == b.flags;
}

// Of the nodes from `first` on, which get new numbers from 0 on.
class Part {
 public:
  Part(const Recording& recording, NodeIndex first) : recording_(recording), first_(first) {}
  std::size_t size() const { return recording_.nodes().size() - first_; }
  const RecordedNode& operator[](std::size_t i) const { return recording_.nodes()[first_ + i]; }
  // Ascending: those that are left out come first.
  std::span<const NodeIndex> predecessors_of(const RecordedNode& node) const {
    const auto all = recording_.predecessors_of(node);
    if (first_ == 0) return all;
    return all.subspan(static_cast<std::size_t>(std::ranges::lower_bound(all, first_) - all.begin()));
  }
  NodeIndex number(NodeIndex recorded) const { return recorded - first_; }

 private:
  const Recording& recording_;
  const NodeIndex first_;
};

Chains find_chains(const Part& part) {
  Chains chains;
  chains.segment_of.resize(part.size());
  chains.before.assign(part.size(), kNone);
  for (NodeIndex i = 0; i < part.size(); ++i) {
    const auto predecessors = part.predecessors_of(part[i]);
    if (predecessors.size() == 1) {
      const NodeIndex p = part.number(predecessors.front());
      const std::uint32_t segment = chains.segment_of[p];
      if (part[p].successors == 1 && are_alike(part[i], part[p]) &&
          chains.length[segment] < Graph::kLongestSegment) {
        chains.segment_of[i] = segment;
        chains.before[i] = p;
        chains.last[segment] = i;
        ++chains.length[segment];
        continue;
      }
    }
    chains.segment_of[i] = static_cast<std::uint32_t>(chains.last.size());
    chains.last.push_back(i);
    chains.length.push_back(1);
  }
  return chains;
}

// The ends of edges, segment by segment: counted, summed up, filled in. first: where a segment's begin.
template <class ForEachEdge>
std::vector<Graph::SegmentIndex> grouped(std::span<GraphSegment> segments,
                                         std::uint32_t GraphSegment::* first, ForEachEdge&& for_each_edge) {
  for_each_edge([&](std::uint32_t from, std::uint32_t) { ++(segments[from].*first); });
  std::uint32_t sum = 0;
  for (GraphSegment& segment : segments) {
    sum += segment.*first;
    segment.*first = sum;  // where its edges end, for now
  }
  std::vector<Graph::SegmentIndex> ends(sum);
  for_each_edge([&](std::uint32_t from, std::uint32_t to) { ends[--(segments[from].*first)] = to; });
  return ends;
}

GraphNode executable(const RecordedNode& node) {
  return {node.run, node.code, node.data, node.bytes, node.waits_for_descendants};
}

}  // namespace

Graph::Graph(Recording& recording) {
  std::optional<std::vector<Recording::CarriedEdge>> carried;
  if (recording.overlaps) carried = recording.find_carried();
  overlaps_ = carried.has_value();
  build(recording, 0, overlaps_ ? *carried : std::vector<Recording::CarriedEdge>{});
  memory_ = recording.take_memory();
}

Graph::Graph(const Recording& recording, NodeIndex first) {
  build(recording, first, {});
}

void Graph::build(const Recording& recording, NodeIndex first,
                  std::span<const Recording::CarriedEdge> carried) {
  const Part part(recording, first);
  const Chains chains = find_chains(part);
  const std::size_t count = chains.last.size();

  // Segments in the order of their first nodes; within each, its nodes from the last backwards.
  segments_.resize(count + 1);
  nodes_.resize(part.size());
  std::uint32_t next = 0;
  for (std::size_t s = 0; s < count; ++s) {
    const RecordedNode& last = part[chains.last[s]];
    segments_[s] = {next, 0, 0, 0, 0, chains.length[s], last.flags, last.priority};
    next += chains.length[s];
    std::uint32_t at = next;
    for (std::uint32_t i = chains.last[s]; i != kNone; i = chains.before[i])
      nodes_[--at] = executable(part[i]);
  }
  tasks_ = static_cast<std::size_t>(
      std::ranges::count_if(nodes_, [](const GraphNode& node) { return node.run != nullptr; }));

  // A node waits for none twice.
  successors_ = grouped(segments_, &GraphSegment::first_successor, [&](auto&& visit) {
    for (NodeIndex i = 0; i < part.size(); ++i) {
      if (chains.before[i] != kNone) continue;  // waits within its segment
      for (const NodeIndex p : part.predecessors_of(part[i]))
        visit(chains.segment_of[part.number(p)], chains.segment_of[i]);
    }
  });
  for (const SegmentIndex to : successors_) ++segments_[to].predecessors;
  carry(chains.segment_of, carried);
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
  carried_ = grouped(segments_, &GraphSegment::first_carried, [&](auto&& visit) {
    for (const auto& [from, to] : edges) visit(from, to);
  });
  for (const SegmentIndex to : carried_) ++segments_[to].awaits;
}

void GraphNode::execute() const {
  if (bytes != 0) std::memcpy(data, data + RecordedNode::image_at(bytes), bytes);
  run(code, data);
}

}  // namespace heddle
