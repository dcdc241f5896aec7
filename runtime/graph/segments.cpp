#include "graph/segments.hpp"

#include <algorithm>
#include <unordered_map>
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

// Of each node the first that waits for the same, and for which the same waits; kNone: of no other kind than
// to be alone. size: how many such there are, by the first.
std::vector<NodeIndex> find_alike(const Recording& recording, const Segments& chains,
                                  std::vector<std::uint32_t>& size) {
  const Successors successors(recording);
  const auto mixed = [](std::uint64_t hash, std::span<const NodeIndex> nodes) {
    for (const NodeIndex n : nodes) hash = hash_of(hash ^ n);
    return hash_of(hash ^ nodes.size());
  };
  // By what its nodes wait for and who waits for them, the first node that has this.
  std::unordered_map<std::uint64_t, NodeIndex> first_with;
  std::vector<NodeIndex> like(recording.nodes().size(), kNone);
  size.assign(recording.nodes().size(), 0);
  for (NodeIndex i = 0; i < recording.nodes().size(); ++i) {
    if (!may_be_in_bundle(recording, chains, i)) continue;
    const auto before = recording.predecessors_of(i);
    const auto after = successors.of(i);
    const std::uint64_t kind = std::uint64_t{recording.nodes()[i].flags} << 32 |
                               static_cast<std::uint32_t>(recording.nodes()[i].priority);
    const auto [at, is_new] = first_with.emplace(mixed(mixed(hash_of(kind), before), after), i);
    const NodeIndex first = at->second;
    if (!is_new && !(are_alike(recording.nodes()[first], recording.nodes()[i]) &&
                     std::ranges::equal(recording.predecessors_of(first), before) &&
                     std::ranges::equal(successors.of(first), after)))
      continue;
    like[i] = first;
    ++size[first];
  }
  return like;
}

Segments bundled(const Recording& recording, Segments chains) {
  std::size_t most = 0;
  for (const Segment& chain : chains.all) most += may_be_in_bundle(recording, chains, chain.first) ? 1 : 0;
  if (most < Segments::kSmallestBundle) return chains;
  std::vector<std::uint32_t> size;
  const std::vector<NodeIndex> like = find_alike(recording, chains, size);
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
