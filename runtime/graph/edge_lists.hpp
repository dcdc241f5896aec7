// Edges sorted by where they begin: one array of ends, in which each list begins where the one before it
// ends.
#pragma once

#include <cstddef>
#include <cstdint>

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

}  // namespace heddle
