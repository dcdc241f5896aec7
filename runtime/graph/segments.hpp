// Which nodes of a recording are executed by one Task.
//
// Words
//   chain   nodes that wait for nothing but the one before them, which nothing else waits for: executed one
//           after the other
//   bundle  nodes that wait for the same, and for all of which the same wait: executed in any order, by one
//           Task until others have nothing to do
// Every node is in one segment, which is a chain, perhaps of one, or a bundle.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "graph/recording.hpp"

namespace heddle {

/// The nodes of a recording from `first` on, which get new numbers from 0 on.
class RecordedPart {
 public:
  RecordedPart(const Recording& recording, NodeIndex first) : recording_(recording), first_(first) {}
  std::size_t size() const { return recording_.nodes().size() - first_; }
  const RecordedNode& operator[](std::size_t i) const { return recording_.nodes()[first_ + i]; }

  /// visit(p) for each that node i waits for, ascending.
  template <class Visit>
  void for_each_predecessor(std::size_t i, Visit&& visit) const {
    for (const NodeIndex p : predecessors_of(i)) visit(p - first_);
  }
  /// As they were recorded. Those that are left out come first there.
  std::span<const NodeIndex> predecessors_of(std::size_t i) const {
    const auto all = recording_.predecessors_of((*this)[i]);
    if (first_ == 0) return all;
    return all.subspan(static_cast<std::size_t>(std::ranges::lower_bound(all, first_) - all.begin()));
  }
  NodeIndex number(NodeIndex recorded) const { return recorded - first_; }

 private:
  const Recording& recording_;
  const NodeIndex first_;
};

struct Segments {
  static constexpr std::uint32_t kNone = UINT32_MAX;
  /// A thread is not kept from more urgent tasks for longer than by so many.
  static constexpr std::uint32_t kLongestChain = 64;
  /// Fewer nodes are as well off with a Task each.
  static constexpr std::uint32_t kSmallestBundle = 4;

  std::vector<std::uint32_t> segment_of;  // of a node; segments are numbered by their first nodes
  std::vector<std::uint32_t> before;      // of a node: the one before it in its segment, or kNone
  std::vector<std::uint32_t> last;        // of a segment: its last node
  std::vector<std::uint32_t> length;
  std::vector<bool> is_bundle;

  /// Edges from it stand for those of its whole segment; or it is the last of a chain.
  bool has_edges(NodeIndex node) const {
    const std::uint32_t segment = segment_of[node];
    return is_bundle[segment] ? before[node] == kNone : last[segment] == node;
  }
};

enum class Bundles : bool { kNone, kSome };

Segments find_segments(const RecordedPart& part, Bundles bundles);

}  // namespace heddle
