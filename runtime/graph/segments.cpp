#include "graph/segments.hpp"

#include <unordered_map>
#include <utility>

#include "base/address_hash.hpp"
#include "graph/edge_lists.hpp"

namespace heddle {
namespace {

constexpr std::uint32_t kNone = Segments::kNone;

// Whether one Task can execute both. Of an event's task the rest is not complete when its body ends.
bool are_alike(const RecordedNode& a, const RecordedNode& b) {
  return a.priority == b.priority && a.flags == b.flags && a.event == nullptr && b.event == nullptr;
}

// A segment's number is that of its first node.
struct Found {
  std::vector<std::uint32_t> first_of;  // of a node: the first of its segment
  std::vector<std::uint32_t> length;    // by first node
  std::vector<bool> is_bundle;          // likewise
};

void find_chains(const RecordedPart& part, Found& found) {
  for (NodeIndex i = 0; i < part.size(); ++i) {
    const auto predecessors = part.predecessors_of(i);
    std::uint32_t first = i;
    if (predecessors.size() == 1) {
      const NodeIndex p = part.number(predecessors.front());
      const std::uint32_t before = found.first_of[p];
      if (part[p].successors == 1 && are_alike(part[i], part[p]) &&
          found.length[before] < Segments::kLongestChain)
        first = before;
    }
    found.first_of[i] = first;
    ++found.length[first];
  }
}

class Successors {
 public:
  explicit Successors(const RecordedPart& part) : first_(part.size() + 1) {
    fill_edge_lists(
        first_.size(), [this](std::size_t i) -> std::uint32_t& { return first_[i]; }, nodes_,
        [&](auto&& visit) {
          for (NodeIndex i = 0; i < part.size(); ++i)
            part.for_each_predecessor(i, [&](NodeIndex p) { visit(p, i); });
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

void find_bundles(const RecordedPart& part, Found& found) {
  const auto may_be_in_one = [&](NodeIndex i) {
    return found.length[found.first_of[i]] == 1 && part[i].run != nullptr;
  };
  std::size_t most = 0;
  for (NodeIndex i = 0; i < part.size(); ++i) most += may_be_in_one(i) ? 1 : 0;
  if (most < Segments::kSmallestBundle) return;
  const Successors successors(part);
  const auto mixed = [](std::uint64_t hash, std::span<const NodeIndex> nodes) {
    for (const NodeIndex n : nodes) hash = hash_of(hash ^ n);
    return hash_of(hash ^ nodes.size());
  };
  // By what its nodes wait for and who waits for them, the first node that has this.
  std::unordered_map<std::uint64_t, NodeIndex> first_with;
  std::vector<NodeIndex> like(part.size(), kNone);
  std::vector<std::uint32_t> size(part.size());
  for (NodeIndex i = 0; i < part.size(); ++i) {
    if (!may_be_in_one(i)) continue;
    const auto before = part.predecessors_of(i);
    const auto after = successors.of(i);
    const std::uint64_t kind =
        std::uint64_t{part[i].flags} << 32 | static_cast<std::uint32_t>(part[i].priority);
    const auto [at, is_new] = first_with.emplace(mixed(mixed(hash_of(kind), before), after), i);
    const NodeIndex first = at->second;
    if (!is_new &&
        !(are_alike(part[first], part[i]) && std::ranges::equal(part.predecessors_of(first), before) &&
          std::ranges::equal(successors.of(first), after)))
      continue;
    like[i] = first;
    ++size[first];
  }
  for (NodeIndex i = 0; i < part.size(); ++i) {
    const NodeIndex first = like[i];
    if (first == kNone || size[first] < Segments::kSmallestBundle) continue;
    found.first_of[i] = first;
    found.length[i] = 0;
    found.length[first] = size[first];
    found.is_bundle[first] = true;
  }
}

}  // namespace

Segments find_segments(const RecordedPart& part, Bundles bundles) {
  Found found{std::vector<std::uint32_t>(part.size()), std::vector<std::uint32_t>(part.size()),
              std::vector<bool>(part.size())};
  find_chains(part, found);
  if (bundles == Bundles::kSome) find_bundles(part, found);

  Segments segments;
  segments.segment_of.resize(part.size());
  segments.before.resize(part.size());
  for (NodeIndex i = 0; i < part.size(); ++i) {
    const NodeIndex first = found.first_of[i];
    if (first == i) {
      segments.segment_of[i] = static_cast<std::uint32_t>(segments.last.size());
      segments.before[i] = kNone;
      segments.last.push_back(i);
      segments.length.push_back(found.length[i]);
      segments.is_bundle.push_back(found.is_bundle[i]);
    } else {
      const std::uint32_t segment = segments.segment_of[first];
      segments.segment_of[i] = segment;
      segments.before[i] = std::exchange(segments.last[segment], i);
    }
  }
  return segments;
}

}  // namespace heddle
