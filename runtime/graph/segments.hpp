// Edges sorted by where they begin: one array of ends, in which each list begins where the one before it
// ends.
#pragma once

#include <cstddef>
#include <cstdint>

#include "graph/recording.hpp"
#include "mem/large_blocks.hpp"

namespace heddle {

/// Counts the edges of each list, sums up, and fills `ends` in. first(i), a std::uint32_t&, becomes the index
/// of the first end of list i; it is 0 before. for_each_edge(visit) calls visit(from, to) for each edge, the
/// same each time. Ensures: a list has its ends in the opposite order of the visits.
template <class First, class Ends, class ForEachEdge>
void fill_edge_lists(std::size_t lists, First&& first, Ends& ends, ForEachEdge&& for_each_edge) {
  for_each_edge([&](std::uint32_t from, std::uint32_t) { ++first(from); });
  std::uint32_t sum = 0;
  for (std::size_t i = 0; i < lists; ++i) first(i) = sum += first(i);  // where it ends, for now
  ends.resize(sum);
  for_each_edge([&](std::uint32_t from, std::uint32_t to) { ends[--first(from)] = to; });
}

// Which nodes of a recording are executed by one Task.
//
// Words
//   chain   nodes that wait for nothing but the one before them, which nothing else waits for: executed one
//           after the other
//   bundle  nodes that wait for the same, and for all of which the same wait: executed in any order, by one
//           Task until others have nothing to do
// Every node is in one segment, which is a chain, perhaps of one, or a bundle.

struct Segment {
  NodeIndex first, last;
  std::uint32_t nodes = 1;
  bool is_bundle = false;
};

struct Segments {
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
