// The four kinds of mesh that every test of mesh/ and exchange/ goes through.
#pragma once

#include <gtest/gtest.h>

#include "mesh/block_tree.hpp"

namespace heddle::mesh {

template <int D, int R>
struct Kind {
  static constexpr int kDimension = D;
  static constexpr int kRatio = R;
};

using Kinds = ::testing::Types<Kind<2, 2>, Kind<2, 3>, Kind<3, 2>, Kind<3, 3>>;

/// Roots of different numbers along the axes, none of them a power of two but the last.
template <int D>
constexpr std::array<int, D> uneven_roots() {
  std::array<int, D> roots{};
  for (int d = 0; d < D; ++d) roots[d] = d == 0 ? 3 : (d == 1 ? 5 : 2);
  return roots;
}

/// Calls visit(id) for every block of a level.
template <int D, int R, class Visit>
void for_each_block(const Geometry<D, R>& geometry, int level, Visit&& visit) {
  BlockId<D> id{level, {}};
  while (true) {
    visit(id);
    int d = 0;
    while (d < D && ++id.position[d] == geometry.blocks_along(d, level)) id.position[d++] = 0;
    if (d == D) return;
  }
}

}  // namespace heddle::mesh
