#include "graph/segments.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "base/address_hash.hpp"
#include "graph/edge_lists.hpp"

namespace heddle {
namespace {

constexpr NodeIndex kNone = UINT32_MAX;

// Whether one Task can execute both. Of an event's task the rest is not complete when its body ends.
bool are_alike(const RecordedNode& a, const RecordedNode& b) {
  return a.priority == b.priority && a.flags == b.flags && !a.has_event && !b.has_event;
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
          segment.nodes < Segments::kLongestChain) {
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
  std::vector<std::uint32_t> first_;
  std::vector<NodeIndex> nodes_;
};

bool may_be_in_bundle(const Recording& recording, const Segments& chains, NodeIndex node) {
  if (chains.of(node).nodes != 1 || recording.nodes()[node].run == nullptr) return false;
  // Its whole bundle waits for what it waits for.
  static_assert(Segments::kSmallestBundle <= RecordedNode::kMany);
  return std::ranges::all_of(recording.predecessors_of(node), [&](NodeIndex p) {
    return recording.nodes()[p].successors >= Segments::kSmallestBundle;
  });
}

// What nodes wait for, and what waits for them: the first node with each of it.
class FirstAlike {
 public:
  FirstAlike(const Recording& recording, std::size_t nodes)
      : recording_(recording),
        successors_(recording),
        bits_(std::bit_width(nodes)),
        slots_(std::size_t{2} << bits_) {}

  // This one, where there was none like it.
  NodeIndex of(NodeIndex node) {
    const std::uint64_t hash = hash_of_node(node);
    for (std::size_t at = hash >> (63 - bits_);; at = (at + 1) & (slots_.size() - 1)) {
      Slot& slot = slots_[at];
      if (slot.node == kNone) {
        slot = {static_cast<std::uint32_t>(hash), node};
        return node;
      }
      if (slot.tag == static_cast<std::uint32_t>(hash) && is_like(slot.node, node)) return slot.node;
    }
  }

 private:
  struct Slot {
    std::uint32_t tag = 0;  // other bits of the hash
    NodeIndex node = kNone;
  };

  std::uint64_t hash_of_node(NodeIndex node) const {
    const RecordedNode& of = recording_.nodes()[node];
    std::uint64_t hash = hash_of(std::uint64_t{of.flags} << 32 | static_cast<std::uint32_t>(of.priority));
    for (const auto& list : {recording_.predecessors_of(node), successors_.of(node)}) {
      for (const NodeIndex other : list) hash = hash_of(hash ^ other);
      hash = hash_of(hash ^ list.size());
    }
    return hash;
  }
  bool is_like(NodeIndex a, NodeIndex b) const {
    return are_alike(recording_.nodes()[a], recording_.nodes()[b]) &&
           std::ranges::equal(recording_.predecessors_of(a), recording_.predecessors_of(b)) &&
           std::ranges::equal(successors_.of(a), successors_.of(b));
  }

  const Recording& recording_;
  const Successors successors_;
  const int bits_;
  std::vector<Slot> slots_;  // open addressing; at most half are taken
};

// Of each node the first that waits for the same, and for which the same waits; kNone: of no other kind than
// to be alone. size: how many such there are, by the first.
std::vector<NodeIndex> find_alike(const Recording& recording, const Segments& chains, std::size_t candidates,
                                  std::vector<std::uint32_t>& size) {
  FirstAlike first_alike(recording, candidates);
  const auto count = static_cast<NodeIndex>(recording.nodes().size());
  std::vector<NodeIndex> like(count, kNone);
  size.assign(count, 0);
  for (NodeIndex i = 0; i < count; ++i) {
    if (!may_be_in_bundle(recording, chains, i)) continue;
    like[i] = first_alike.of(i);
    ++size[like[i]];
  }
  return like;
}

Segments bundled(const Recording& recording, Segments chains) {
  std::size_t most = 0;
  for (const Segment& chain : chains.all) most += may_be_in_bundle(recording, chains, chain.first) ? 1 : 0;
  if (most < Segments::kSmallestBundle) return chains;
  std::vector<std::uint32_t> size;
  const std::vector<NodeIndex> like = find_alike(recording, chains, most, size);
  std::vector<Segment> all;
  std::vector<std::uint32_t> number(chains.all.size());  // of a chain: that of its segment
  for (std::size_t c = 0; c < chains.all.size(); ++c) {
    const Segment& chain = chains.all[c];
    const NodeIndex first = like[chain.first];
    const bool is_bundled = first != kNone && size[first] >= Segments::kSmallestBundle;
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

}  // namespace heddle
