#include "mesh/block_tree.hpp"

#include <gtest/gtest.h>

#include "tests/mesh/meshes.hpp"

namespace heddle::mesh {
namespace {

TEST(BlockTree, OneRootHasTheKnownFingerprint) {
  const BlockTree<3, 2> tree(Geometry<3, 2>({1, 1, 1}, 3));
  EXPECT_EQ(to_hex(tree.fingerprint()), "e220a8397b1dcdaf");
}

template <class Kind>
class BlockTreeOf : public ::testing::Test {};
TYPED_TEST_SUITE(BlockTreeOf, Kinds);

TYPED_TEST(BlockTreeOf, ChildrenStandWhereTheirParentStood) {
  constexpr int D = TypeParam::kDimension, R = TypeParam::kRatio;
  BlockTree<D, R> tree(Geometry<D, R>(uneven_roots<D>(), 2));
  const int roots = tree.size();
  const BlockId<D> before[] = {tree.id(0), tree.id(1), tree.id(2)};
  tree.apply({{1, 3}, {}});
  ASSERT_EQ(tree.size(), roots + 2 * (kChildren<D, R> - 1));
  EXPECT_EQ(tree.id(0), before[0]);
  for (int c = 0; c < kChildren<D, R>; ++c) EXPECT_EQ(parent<R>(tree.id(1 + c)), before[1]);
  EXPECT_EQ((tree.id(1 + kChildren<D, R>)), before[2]);
  for (int n = 1; n < tree.size(); ++n) EXPECT_LT(tree.key(n - 1).place, tree.key(n).place);
  EXPECT_EQ(tree.find(before[1]), (BlockTree<D, R>::kInterior));
  EXPECT_EQ(tree.find(child<R>(before[0], 0)), (BlockTree<D, R>::kAbsent));
}

TYPED_TEST(BlockTreeOf, MergingWhatWasSplitRestoresTheTree) {
  constexpr int D = TypeParam::kDimension, R = TypeParam::kRatio;
  BlockTree<D, R> tree(Geometry<D, R>(uneven_roots<D>(), 2));
  const auto before = tree.fingerprint();
  tree.apply({{0, 2}, {}});
  EXPECT_NE(tree.fingerprint(), before);
  EXPECT_EQ(tree.parents(), 2);
  tree.apply({{}, {0, kChildren<D, R> + 1}});
  EXPECT_EQ(tree.fingerprint(), before);
  EXPECT_EQ(tree.parents(), 0);
}

}  // namespace
}  // namespace heddle::mesh
