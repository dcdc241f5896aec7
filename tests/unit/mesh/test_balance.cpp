// Random refinement: whatever is asked, the mesh stays balanced, complete and in order.
#include "mesh/balance.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "tests/unit/mesh/random_tree.hpp"

namespace heddle::mesh {
namespace {

template <int D, int R>
void expect_sound(const BlockTree<D, R>& tree) {
  double volume = 0.0;
  for (int n = 0; n < tree.size(); ++n) {
    const auto leaf = tree.leaf(n);
    if (n > 0) {
      ASSERT_LT(tree.key(n - 1).place, tree.key(n).place);
    }
    ASSERT_EQ(tree.find(leaf.id), n);
    volume += std::pow(1.0 / R, D * leaf.id.level);
    // Neither the block across a face nor its parent may be absent: that would be two levels.
    for (int f = 0; f < kFaces<D>; ++f) {
      BlockId<D> across = leaf.id;
      across.position[f / 2] += f % 2 == 0 ? -1 : 1;
      if (across.position[f / 2] < 0 ||
          across.position[f / 2] >= tree.geometry().blocks_along(f / 2, leaf.id.level))
        continue;
      if (tree.find(across) == BlockTree<D, R>::kAbsent) {
        ASSERT_GE(tree.find(parent<R>(across)), 0);
      }
    }
  }
  const auto roots = tree.geometry().roots();
  double expected = 1.0;
  for (const int n : roots) expected *= n;
  ASSERT_NEAR(volume, expected, 1e-9 * expected);
}

template <class Kind>
class BalanceOf : public ::testing::Test {};
TYPED_TEST_SUITE(BalanceOf, Kinds);

TYPED_TEST(BalanceOf, KeepsEveryRandomMeshSound) {
  constexpr int D = TypeParam::kDimension, R = TypeParam::kRatio;
  SeededRandom random;
  BlockTree<D, R> tree = random_tree<D, R>(0, random);
  int splits = 0, merges = 0;
  for (int round = 0; round < 20; ++round) {
    const Part<D, R> part(tree, 0);
    Marks marks = random_marks(tree.geometry(), part, random);
    const Marks asked = marks;
    balance(marks, part);
    for (std::size_t n = 0; n < marks.size(); ++n) ASSERT_GE(marks[n], asked[n]);
    const auto plan = plan_refinement(marks, part);
    splits += static_cast<int>(plan.splits.size());
    merges += static_cast<int>(plan.merges.size());
    tree.apply(plan);
    ASSERT_NO_FATAL_FAILURE(expect_sound(tree));
  }
  EXPECT_GT(splits, 0);
  EXPECT_GT(merges, 0);
}

TYPED_TEST(BalanceOf, PullsCoarserNeighboursAlong) {
  constexpr int D = TypeParam::kDimension, R = TypeParam::kRatio;
  std::array<int, D> roots{};
  roots.fill(1);
  roots[0] = 2;
  BlockTree<D, R> tree(Geometry<D, R>(roots, 2));
  tree.apply({{0}, {}});
  BlockId<D> beside_the_root{1, {}};
  beside_the_root.position[0] = R - 1;
  Marks marks(static_cast<std::size_t>(tree.size()), Mark::stay);
  marks[tree.find(beside_the_root)] = Mark::refine;
  balance(marks, Part<D, R>(tree, 0));
  EXPECT_EQ(marks.back(), Mark::refine);  // the root that was not split
}

}  // namespace
}  // namespace heddle::mesh
