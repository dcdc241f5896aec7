#include "amr/mesh/geometry.hpp"

#include <gtest/gtest.h>

namespace heddle::amr {
namespace {

TEST(Geometry, NumbersOfALevelFollowThoseOfTheLevelAbove) {
  const Geometry g({2, 1, 3}, 2);
  EXPECT_EQ(g.number({0, {0, 0, 0}}), 0);
  EXPECT_EQ(g.number({0, {1, 0, 2}}), 5);
  EXPECT_EQ(g.number({1, {0, 0, 0}}), 6);
  EXPECT_EQ(g.number({1, {3, 1, 5}}), 6 + 48 - 1);
  EXPECT_EQ(g.number({2, {0, 0, 0}}), 6 + 48);
}

TEST(Geometry, ChildAndParentAreInverse) {
  const BlockId block{1, {3, 0, 5}};
  for (int o = 0; o < kChildren; ++o) {
    EXPECT_EQ(parent(child(block, o)), block);
    EXPECT_EQ(octant(child(block, o)), o);
  }
}

TEST(Geometry, ChildrenTileTheirParentExactly) {
  const Geometry g({3, 1, 2}, 4);
  const BlockId block{2, {5, 3, 6}};
  const Extent whole = g.extent(block);
  for (int d = 0; d < kAxes; ++d) {
    EXPECT_EQ(g.extent(child(block, 0)).low[d], whole.low[d]);
    EXPECT_EQ(g.extent(child(block, 7)).high[d], whole.high[d]);
    EXPECT_EQ(g.extent(child(block, 0)).high[d], g.extent(child(block, 7)).low[d]);
  }
}

TEST(Geometry, MeshesThatCannotBeNumberedDoNotFit) {
  EXPECT_TRUE(Geometry::fits({1, 1, 1}, 10));
  EXPECT_FALSE(Geometry::fits({1, 1, 1}, 60));
  EXPECT_FALSE(Geometry::fits({1000000, 1000000, 1000000}, 3));
}

}  // namespace
}  // namespace heddle::amr
