// Which ghosts an exchange fills, and in which order it takes the directions.
#pragma once

#include <array>

#include "amr/field/octree.hpp"

namespace heddle::amr {

struct HaloRule {
  int code = 0;              // 0, 1 or 2, as --code
  bool needs_edges = false;  // a stencil that reads edges and corners
  /// The directions are independent of each other: ghosts are made from interior cells alone.
  [[nodiscard]] bool axes_are_independent() const { return code == 0 && !needs_edges; }
};

/// The order of the directions in a stage: x, y, z, or with permute one of six by the stage's global number.
/// There are so many orders, in turn.
inline constexpr int kAxisOrders = 6;
[[nodiscard]] constexpr std::array<int, kAxes> axis_order(bool permute, long long global_stage) {
  constexpr std::array<std::array<int, kAxes>, kAxisOrders> kOrders{
      {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {1, 0, 2}, {2, 1, 0}}};
  return kOrders[permute ? global_stage % kAxisOrders : 0];
}

}  // namespace heddle::amr
