#include "graph/graph.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/address_hash.hpp"
#include "sched/limits.hpp"
#include "sys/fatal.hpp"

namespace heddle {
namespace {

constexpr NodeIndex kNone = UINT32_MAX;

// Whether one Task can execute both. Of an event's task the rest is not complete when its body ends.
bool are_alike(const RecordedNode& a, const RecordedNode& b) {
  return !a.has_event && !b.has_event && a.kind->priority == b.kind->priority &&
         a.kind->flags == b.kind->flags;
}

Segments find_chains(const Recording& recording) {
  Segments found;
  found.segment_of.reserve(recording.nodes().size());
  for (NodeIndex i = 0; i < recording.nodes().size(); ++i) {
    const auto predecessors = recording.predecessors_of(i);
    if (predecessors.size() == 1) {
      const NodeIndex p = predecessors.front();
      const std::uint32_t before = found.segment_of[p];
      Segment& segment = found.all[before];
      if (recording.nodes()[p].successors == 1 && are_alike(recording.nodes()[i], recording.nodes()[p]) &&
          segment.nodes < limits::kLongestChain) {
        segment.last = i;
        ++segment.nodes;
        found.segment_of.push_back(before);
        continue;
      }
    }
    found.segment_of.push_back(static_cast<std::uint32_t>(found.all.size()));
    found.all.push_back({i, i});
  }
  return found;
}

class Successors {
 public:
  explicit Successors(const Recording& recording) : first_(recording.nodes().size() + 1) {
    fill_edge_lists(
        first_.size(), [this](std::size_t i) -> std::uint32_t& { return first_[i]; }, nodes_,
        [&](auto&& visit) {
          for (NodeIndex i = 0; i < recording.nodes().size(); ++i)
            for (const NodeIndex p : recording.predecessors_of(i)) visit(p, i);
        });
  }
  // Descending.
  std::span<const NodeIndex> of(NodeIndex node) const {
    return std::span(nodes_).subspan(first_[node], first_[node + 1] - first_[node]);
  }

 private:
  LargeVector<std::uint32_t> first_;
  LargeVector<NodeIndex> nodes_;
};

// Nodes that may be in a bundle, as far as it can be seen without their successors.
LargeVector<NodeIndex> find_candidates(const Recording& recording, const Segments& chains) {
  LargeVector<NodeIndex> found;
  for (const Segment& chain : chains.all) {
    if (chain.nodes != 1 || recording.nodes()[chain.first].is_join()) continue;
    // Its whole bundle waits for what it waits for.
    static_assert(limits::kSmallestBundle <= RecordedNode::kMany);
    if (std::ranges::all_of(recording.predecessors_of(chain.first), [&](NodeIndex p) {
          return recording.nodes()[p].successors >= limits::kSmallestBundle;
        }))
      found.push_back(chain.first);
  }
  return found;
}

// What nodes wait for, and what waits for them: the first node with each of it.
class FirstAlike {
 public:
  explicit FirstAlike(const Recording& recording) : recording_(recording), successors_(recording) {}

  // This one, where there was none like it.
  NodeIndex of(NodeIndex node) {
    if (last_ == kNone || !is_like(last_, node)) last_ = find(node);
    return last_;
  }

 private:
  struct Slot {
    std::uint32_t hash = 0;
    NodeIndex node = kNone;
  };
  // A hash says little of long lists. Where many have the same and are not alike, the rest is alone.
  static constexpr int kMostUnlike = 16;

  NodeIndex find(NodeIndex node) {
    if (slots_.size() < 2 * (taken_ + 1)) grow();
    const std::uint32_t hash = hash_of_node(node);
    int unlike = 0;
    for (std::size_t at = first_place(hash);; at = next_place(at)) {
      Slot& slot = slots_[at];
      if (slot.node == kNone) {
        slot = {hash, node};
        ++taken_;
        return node;
      }
      if (slot.hash != hash) continue;
      if (is_like(slot.node, node)) return slot.node;
      if (++unlike == kMostUnlike) return node;
    }
  }
  void grow() {
    bits_ += 2;
    const auto before = std::exchange(slots_, LargeVector<Slot>(std::size_t{1} << bits_));
    for (const Slot& slot : before) {
      if (slot.node == kNone) continue;
      std::size_t at = first_place(slot.hash);
      while (slots_[at].node != kNone) at = next_place(at);
      slots_[at] = slot;
    }
  }
  std::size_t first_place(std::uint32_t hash) const { return hash >> (32 - bits_); }
  std::size_t next_place(std::size_t at) const { return (at + 1) & (slots_.size() - 1); }

  std::uint32_t hash_of_node(NodeIndex node) const {
    const NodeKind& of = *recording_.nodes()[node].kind;
    std::uint64_t hash = hash_of(std::uint64_t{of.flags} << 32 | static_cast<std::uint32_t>(of.priority));
    for (const auto& list : {recording_.predecessors_of(node), successors_.of(node)}) {
      hash = hash_of(hash ^ list.size());
      if (!list.empty()) hash = hash_of(hash ^ (std::uint64_t{list.front()} << 32 | list.back()));
    }
    return static_cast<std::uint32_t>(hash >> 32);
  }
  bool is_like(NodeIndex a, NodeIndex b) const {
    return are_alike(recording_.nodes()[a], recording_.nodes()[b]) &&
           std::ranges::equal(recording_.predecessors_of(a), recording_.predecessors_of(b)) &&
           std::ranges::equal(successors_.of(a), successors_.of(b));
  }

  const Recording& recording_;
  const Successors successors_;
  NodeIndex last_ = kNone;   // that was found
  LargeVector<Slot> slots_;  // open addressing; at most half are taken
  int bits_ = 4;             // of the index of a slot
  std::size_t taken_ = 0;
};

Segments bundled(const Recording& recording, Segments chains) {
  const LargeVector<NodeIndex> candidates = find_candidates(recording, chains);
  if (candidates.size() < limits::kSmallestBundle) return chains;
  const std::size_t count = recording.nodes().size();
  LargeVector<NodeIndex> like(count, kNone);  // the first that is; kNone: it is alone in any case
  LargeVector<std::uint32_t> size(count);     // of the first: how many there are
  FirstAlike first_alike(recording);
  for (const NodeIndex node : candidates) ++size[like[node] = first_alike.of(node)];
  LargeVector<Segment> all;
  LargeVector<std::uint32_t> number(chains.all.size());  // of a chain: that of its segment
  for (std::size_t c = 0; c < chains.all.size(); ++c) {
    const Segment& chain = chains.all[c];
    const NodeIndex first = like[chain.first];
    const bool is_bundled = first != kNone && size[first] >= limits::kSmallestBundle;
    if (is_bundled && first != chain.first) {
      number[c] = number[chains.segment_of[first]];
      Segment& bundle = all[number[c]];
      bundle.last = chain.last;
      ++bundle.nodes;
    } else {
      number[c] = static_cast<std::uint32_t>(all.size());
      all.push_back(chain);
      all.back().is_bundle = is_bundled;
    }
  }
  for (std::uint32_t& segment : chains.segment_of) segment = number[segment];
  return {std::move(all), std::move(chains.segment_of)};
}

}  // namespace

Segments find_segments(const Recording& recording, Bundles bundles) {
  Segments chains = find_chains(recording);
  return bundles == Bundles::kSome ? bundled(recording, std::move(chains)) : chains;
}

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
