// In which order a worker looks at the others for work: those near it in the machine first, since what a
// stolen task works on is then near as well.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace heddle {

/// Where a worker runs: the socket, the NUMA domain, the last-level cache and the core, by number, the widest
/// first.
using Location = std::array<std::int16_t, 4>;

/// How many levels of the machine two workers do not share: 0 on the same core.
inline int distance(const Location& a, const Location& b) {
  const auto differs = std::ranges::mismatch(a, b).in1;
  return static_cast<int>(a.end() - differs);
}

/// All other workers, the nearest first; of equal ones first those that follow `worker` by number, so that
/// not all begin with the same. Without a location for each all are equally near.
/// Shape: workers - 1 numbers.
inline std::vector<std::uint16_t> steal_order(int worker, int workers, std::span<const Location> locations) {
  std::vector<std::uint16_t> order;
  for (int i = 1; i < workers; ++i) order.push_back(static_cast<std::uint16_t>((worker + i) % workers));
  if (locations.size() < static_cast<std::size_t>(workers)) return order;
  const Location& here = locations[static_cast<std::size_t>(worker)];
  std::ranges::sort(order, {}, [&](std::uint16_t other) {
    return std::pair(distance(here, locations[other]), (other - worker + workers) % workers);
  });
  return order;
}

}  // namespace heddle
