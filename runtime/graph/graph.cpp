#include "graph/graph.hpp"

#include <cstring>

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

Chains find_chains(const Recording& recording) {
  const auto nodes = recording.nodes();
  std::vector<std::uint32_t> successors(nodes.size(), 0);
  for (const RecordedNode& node : nodes)
    for (const NodeIndex p : recording.predecessors_of(node)) ++successors[p];
  Chains chains;
  chains.segment_of.resize(nodes.size());
  chains.before.assign(nodes.size(), kNone);
  for (NodeIndex i = 0; i < nodes.size(); ++i) {
    const auto predecessors = recording.predecessors_of(nodes[i]);
    if (predecessors.size() == 1) {
      const NodeIndex p = predecessors.front();
      const std::uint32_t segment = chains.segment_of[p];
      if (successors[p] == 1 && are_alike(nodes[i], nodes[p]) &&
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

GraphNode executable(const RecordedNode& node) {
  return {node.run, node.code, node.data, node.image, node.bytes, node.waits_for_descendants};
}

}  // namespace

Graph::Graph(Recording& recording) : memory_(recording.take_memory()), edges_(recording.edges()) {
  const auto nodes = recording.nodes();
  const Chains chains = find_chains(recording);
  const std::size_t count = chains.last.size();

  // Segments in the order of their first nodes; within each, its nodes from the last backwards.
  segments_.resize(count + 1);
  nodes_.resize(nodes.size());
  std::uint32_t next = 0;
  for (std::size_t s = 0; s < count; ++s) {
    const RecordedNode& last = nodes[chains.last[s]];
    segments_[s] = {next, 0, 0, chains.length[s], last.flags, last.priority};
    next += chains.length[s];
    std::uint32_t at = next;
    for (std::uint32_t i = chains.last[s]; i != kNone; i = chains.before[i])
      nodes_[--at] = executable(nodes[i]);
  }
  for (const RecordedNode& node : nodes) tasks_ += node.run != nullptr ? 1 : 0;

  // Edges between segments: counted, summed up, filled in. A node waits for none twice.
  const auto for_each_edge = [&](auto&& visit) {
    for (NodeIndex i = 0; i < nodes.size(); ++i) {
      if (chains.before[i] != kNone) continue;  // waits within its segment
      for (const NodeIndex p : recording.predecessors_of(nodes[i]))
        visit(chains.segment_of[p], chains.segment_of[i]);
    }
  };
  std::uint32_t edges = 0;
  for_each_edge([&](std::uint32_t from, std::uint32_t to) {
    ++segments_[from].first_successor;
    ++segments_[to].predecessors;
    ++edges;
  });
  std::uint32_t sum = 0;
  for (GraphSegment& segment : segments_) {
    sum += segment.first_successor;
    segment.first_successor = sum;  // where its successors end, for now
  }
  successors_.resize(edges);
  for_each_edge(
      [&](std::uint32_t from, std::uint32_t to) { successors_[--segments_[from].first_successor] = to; });
  for (SegmentIndex s = 0; s < count; ++s)
    if (segments_[s].predecessors == 0) roots_.push_back(s);
}

void GraphNode::execute() const {
  if (bytes != 0) std::memcpy(data, image, bytes);
  run(code, data);
}

}  // namespace heddle
