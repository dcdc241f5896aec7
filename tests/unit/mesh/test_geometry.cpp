#include "mesh/geometry.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <map>
#include <set>

#include "tests/unit/mesh/meshes.hpp"

namespace heddle::mesh {
namespace {

TEST(Geometry, NumbersOfALevelFollowThoseOfTheLevelAbove) {
  const Geometry<3, 2> g({2, 1, 3}, 2);
  EXPECT_EQ(g.number({0, {0, 0, 0}}), 0);
  EXPECT_EQ(g.number({0, {1, 0, 2}}), 5);
  EXPECT_EQ(g.number({1, {0, 0, 0}}), 6);
  EXPECT_EQ(g.number({1, {3, 1, 5}}), 6 + 48 - 1);
  EXPECT_EQ(g.number({2, {0, 0, 0}}), 6 + 48);
}

TEST(Geometry, PlacesOfARatioTwoSquareAreMortonIndices) {
  const Geometry<2, 2> g({1, 1}, 3);
  EXPECT_EQ(g.place({3, {0, 0}}), 0);
  EXPECT_EQ(g.place({3, {1, 0}}), 1);
  EXPECT_EQ(g.place({3, {0, 1}}), 2);
  EXPECT_EQ(g.place({3, {3, 5}}), 0b100111);
  EXPECT_EQ(g.place({1, {1, 1}}), 48);  // the first of its sixteen smallest blocks
}

TEST(Geometry, RootsFollowTheCurveToo) {
  const Geometry<2, 2> g({4, 4}, 1);
  EXPECT_LT(g.place({0, {1, 1}}), g.place({0, {2, 0}}));
  EXPECT_LT(g.place({0, {3, 1}}), g.place({0, {0, 2}}));
  EXPECT_EQ(g.place({0, {3, 3}}), 15 * 4);
}

TEST(Geometry, MeshesThatCannotBeNumberedDoNotFit) {
  EXPECT_TRUE((Geometry<3, 2>::fits({1, 1, 1}, 10)));
  EXPECT_TRUE((Geometry<2, 3>::fits({1, 1}, 10)));
  EXPECT_FALSE((Geometry<3, 2>::fits({1, 1, 1}, 60)));
  EXPECT_FALSE((Geometry<3, 3>::fits({1, 1, 1}, 20)));
  EXPECT_FALSE((Geometry<3, 2>::fits({1000000, 1000000, 1000000}, 3)));
}

template <int D>
int distance(const BlockId<D>& a, const BlockId<D>& b) {
  int sum = 0;
  for (int d = 0; d < D; ++d) sum += std::abs(a.position[d] - b.position[d]);
  return sum;
}

/// Of every level: the curve visits each block once, in steps through faces, and block() finds it again.
template <int D>
void expect_peano(std::array<int, D> roots, int deepest_level) {
  const Geometry<D, 3> g(roots, deepest_level, {Curve::peano, {}});
  for (int level = 0; level <= deepest_level; ++level) {
    std::map<std::int64_t, BlockId<D>> along;
    for_each_block(g, level, [&](const BlockId<D>& id) {
      along.emplace(g.place(id), id);
      EXPECT_EQ(g.block(g.place(id), level), id);
    });
    ASSERT_EQ(static_cast<std::int64_t>(along.size()), g.places() / g.span(level));
    std::int64_t expected = 0;
    for (auto it = along.begin(); it != along.end(); ++it, expected += g.span(level)) {
      EXPECT_EQ(it->first, expected);
      if (it != along.begin()) {
        EXPECT_EQ(distance(std::prev(it)->second, it->second), 1);
      }
    }
    EXPECT_EQ(along.begin()->second, (BlockId<D>{level, {}}));
    if (std::none_of(roots.begin(), roots.end(), [](int n) { return n % 2 == 0; })) {
      for (int d = 0; d < D; ++d) EXPECT_EQ(along.rbegin()->second.position[d], g.blocks_along(d, level) - 1);
    }
  }
}

TEST(Geometry, PeanosCurveVisitsEveryBlockOnceInStepsThroughFaces) {
  expect_peano<2>({1, 1}, 4);
  expect_peano<3>({1, 1, 1}, 3);
  expect_peano<2>({3, 5}, 2);
  expect_peano<2>({3, 4}, 2);
  expect_peano<3>({3, 1, 2}, 2);
}

TEST(Geometry, PeanosCurveOfNineBlocksGoesThereAndBack) {
  const Geometry<2, 3> g({1, 1}, 1, {Curve::peano, {}});
  const std::array<std::array<int, 2>, 9> expected{
      {{0, 0}, {1, 0}, {2, 0}, {2, 1}, {1, 1}, {0, 1}, {0, 2}, {1, 2}, {2, 2}}};
  for (int n = 0; n < 9; ++n) EXPECT_EQ(g.block(n, 1).position, expected[n]);
}

template <class Kind>
class GeometryOf : public ::testing::Test {};
TYPED_TEST_SUITE(GeometryOf, Kinds);

TYPED_TEST(GeometryOf, ChildAndParentAreInverse) {
  constexpr int D = TypeParam::kDimension, R = TypeParam::kRatio;
  BlockId<D> block{1, {}};
  for (int d = 0; d < D; ++d) block.position[d] = 5 - 2 * d;
  for (int c = 0; c < kChildren<D, R>; ++c) {
    EXPECT_EQ(parent<R>(child<R>(block, c)), block);
    EXPECT_EQ(child_index<R>(child<R>(block, c)), c);
  }
}

TYPED_TEST(GeometryOf, ChildrenTileTheirParentExactly) {
  constexpr int D = TypeParam::kDimension, R = TypeParam::kRatio;
  const Geometry<D, R> g(uneven_roots<D>(), 3);
  BlockId<D> block{2, {}};
  for (int d = 0; d < D; ++d) block.position[d] = d + 1;
  const auto whole = g.extent(block);
  const auto first = g.extent(child<R>(block, 0));
  const auto last = g.extent(child<R>(block, kChildren<D, R> - 1));
  for (int d = 0; d < D; ++d) {
    EXPECT_EQ(first.low[d], whole.low[d]);
    EXPECT_EQ(last.high[d], whole.high[d]);
    EXPECT_EQ(g.centre(child<R>(block, 0), d) + (R - 1) * g.half_width(3), g.centre(block, d));
  }
}

TYPED_TEST(GeometryOf, NumbersAndPlacesNameEachBlockOnce) {
  constexpr int D = TypeParam::kDimension, R = TypeParam::kRatio;
  const Geometry<D, R> g(uneven_roots<D>(), 2);
  BlockNumber next = 0;
  for (int level = 0; level <= 2; ++level) {
    std::set<std::int64_t> places;
    for_each_block(g, level, [&](const BlockId<D>& id) {
      EXPECT_EQ(g.number(id), next++);
      places.insert(g.place(id));
    });
    // So many blocks of the deepest level apart.
    const std::int64_t step = level == 2 ? 1 : power(kChildren<D, R>, 2 - level);
    std::int64_t expected = 0;
    for (const std::int64_t place : places) {
      EXPECT_EQ(place, expected);
      expected += step;
    }
  }
}

TYPED_TEST(GeometryOf, TheCurveEntersABlockOnce) {
  constexpr int D = TypeParam::kDimension, R = TypeParam::kRatio;
  const Geometry<D, R> g(uneven_roots<D>(), 2);
  for_each_block(g, 1, [&](const BlockId<D>& id) {
    std::set<std::int64_t> places;
    for (int c = 0; c < kChildren<D, R>; ++c) places.insert(g.place(child<R>(id, c)));
    EXPECT_EQ(*places.begin(), g.place(id));
    EXPECT_EQ(*places.rbegin(), (g.place(id) + kChildren<D, R> - 1));
    EXPECT_EQ(places.size(), (kChildren<D, R>));
  });
}

}  // namespace
}  // namespace heddle::mesh
