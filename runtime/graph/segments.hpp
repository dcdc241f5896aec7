// Which nodes of a recording are executed by one Task.
//
// Words
//   chain   nodes that wait for nothing but the one before them, which nothing else waits for: executed one
//           after the other
//   bundle  nodes that wait for the same, and for all of which the same wait: executed in any order, by one
//           Task until others have nothing to do
// Every node is in one segment, which is a chain, perhaps of one, or a bundle.
#pragma once

#include <cstdint>

#include "graph/recording.hpp"
#include "mem/large_blocks.hpp"

namespace heddle {

struct Segment {
  NodeIndex first, last;
  std::uint32_t nodes = 1;
  bool is_bundle = false;
};

struct Segments {
  /// A thread is not kept from more urgent tasks for longer than by so many.
  static constexpr std::uint32_t kLongestChain = 64;
  /// Fewer nodes are as well off with a Task each.
  static constexpr std::uint32_t kSmallestBundle = 4;

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

}  // namespace heddle
