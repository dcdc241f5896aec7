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
  const auto before = tree.leaves();
  tree.apply({{1, 3}, {}});
  ASSERT_EQ(tree.size(), roots + 2 * (kChildren<D, R> - 1));
  EXPECT_EQ(tree.leaves()[0].id, before[0].id);
  for (int c = 0; c < kChildren<D, R>; ++c) EXPECT_EQ(parent<R>(tree.leaves()[1 + c].id), before[1].id);
  EXPECT_EQ((tree.leaves()[1 + kChildren<D, R>].id), before[2].id);
  for (int n = 1; n < tree.size(); ++n) EXPECT_LT(tree.leaves()[n - 1].place, tree.leaves()[n].place);
  EXPECT_EQ(tree.find(before[1].id), (BlockTree<D, R>::kInterior));
  EXPECT_EQ(tree.find(child<R>(before[0].id, 0)), (BlockTree<D, R>::kAbsent));
}

TYPED_TEST(BlockTreeOf, MergingWhatWasSplitRestoresTheTree) {
  constexpr int D = TypeParam::kDimension, R = TypeParam::kRatio;
  BlockTree<D, R> tree(Geometry<D, R>(uneven_roots<D>(), 2));
  const auto before = tree.fingerprint();
  tree.apply({{0, 2}, {}});
  EXPECT_NE(tree.fingerprint(), before);
  EXPECT_EQ(tree.interior().size(), 2);
  tree.apply({{}, tree.interior()});
  EXPECT_EQ(tree.fingerprint(), before);
  EXPECT_TRUE(tree.interior().empty());
}

}  // namespace
}  // namespace heddle::mesh
