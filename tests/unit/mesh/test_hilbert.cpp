#include "mesh/hilbert.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "tests/unit/mesh/meshes.hpp"

namespace heddle::mesh {
namespace {

// All blocks of a level, in the curve's order.
std::vector<BlockId<3>> in_order(const Geometry<3, 2>& geometry, const Hilbert& curve, int level) {
  std::vector<BlockId<3>> blocks;
  for_each_block(geometry, level, [&](const BlockId<3>& id) { blocks.push_back(id); });
  std::sort(blocks.begin(), blocks.end(),
            [&](const auto& a, const auto& b) { return curve.place(a) < curve.place(b); });
  return blocks;
}

int distance(const BlockId<3>& a, const BlockId<3>& b) {
  int sum = 0;
  for (int d = 0; d < 3; ++d) sum += std::abs(a.position[d] - b.position[d]);
  return sum;
}

TEST(Hilbert, GoesFromBlockToNeighbourInCubes) {
  for (const int roots : {1, 2, 4}) {
    for (const HilbertRoots order : {HilbertRoots::whole, HilbertRoots::truncated}) {
      const Geometry<3, 2> geometry({roots, roots, roots}, 2);
      const Hilbert curve(geometry, order);
      for (int level = 0; level <= 2; ++level) {
        const auto blocks = in_order(geometry, curve, level);
        for (std::size_t n = 1; n < blocks.size(); ++n) ASSERT_EQ(distance(blocks[n - 1], blocks[n]), 1);
      }
    }
  }
}

TEST(Hilbert, GoesFromCubeToCubeWhereTheyStandInARow) {
  for (const std::array<int, 3> roots : {std::array{8, 2, 2}, {3, 1, 1}, {2, 6, 2}, {3, 3, 1}, {4, 4, 12}}) {
    const Geometry<3, 2> geometry(roots, 1);
    const Hilbert curve(geometry, HilbertRoots::whole);
    const auto blocks = in_order(geometry, curve, 1);
    for (std::size_t n = 1; n < blocks.size(); ++n)
      ASSERT_EQ(distance(blocks[n - 1], blocks[n]), 1) << roots[0];
  }
}

TEST(Hilbert, EntersEachBlockOnce) {
  for (const std::array<int, 3> roots : {std::array{3, 5, 2}, {1, 7, 6}, {5, 5, 5}}) {
    for (const HilbertRoots order : {HilbertRoots::whole, HilbertRoots::truncated}) {
      const Geometry<3, 2> geometry(roots, 2);
      const Hilbert curve(geometry, order);
      std::vector<bool> is_taken(static_cast<std::size_t>(geometry.places()), false);
      for_each_block(geometry, 2, [&](const BlockId<3>& id) {
        const std::int64_t place = curve.place(id);
        ASSERT_TRUE(0 <= place && place < geometry.places());
        ASSERT_FALSE(is_taken[static_cast<std::size_t>(place)]);
        is_taken[static_cast<std::size_t>(place)] = true;
        for (BlockId<3> above = parent<2>(id);; above = parent<2>(above)) {
          ASSERT_EQ(curve.place(above), place - place % geometry.span(above.level));
          if (above.level == 0) break;
        }
      });
    }
  }
}

}  // namespace
}  // namespace heddle::mesh
