#include "mesh/block_tree.hpp"

#include <gtest/gtest.h>

#include "tests/unit/mesh/meshes.hpp"

namespace heddle::mesh {
namespace {

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

TYPED_TEST(BlockTreeOf, IsWhatItsKeysSay) {
  constexpr int D = TypeParam::kDimension, R = TypeParam::kRatio;
  using Tree = BlockTree<D, R>;
  Tree tree(Geometry<D, R>(uneven_roots<D>(), 2));
  tree.apply({{1, 3}, {}});
  tree.set_owner(2, 5);
  std::vector<Key> keys(tree.keys().begin(), tree.keys().end());
  ASSERT_TRUE(Tree::are_leaves(tree.geometry(), keys));
  const Tree again(tree.geometry(), keys);
  EXPECT_TRUE(std::equal(again.keys().begin(), again.keys().end(), keys.begin(), keys.end()));
  const auto are_wrong = [&](auto change) {
    std::vector<Key> changed = keys;
    change(changed);
    return !Tree::are_leaves(tree.geometry(), changed);
  };
  EXPECT_TRUE(are_wrong([](auto& k) { k.pop_back(); }));
  EXPECT_TRUE(are_wrong([](auto& k) { k.erase(k.begin()); }));
  EXPECT_TRUE(are_wrong([](auto& k) { std::swap(k[1], k[2]); }));
  EXPECT_TRUE(are_wrong([](auto& k) { k[0].level = 1; }));
  EXPECT_TRUE(are_wrong([](auto& k) { k[0].level = -1; }));
  EXPECT_TRUE(are_wrong([](auto& k) { k.back().level = 99; }));
  EXPECT_TRUE(are_wrong([](auto& k) { k[0].owner = -1; }));
}

TYPED_TEST(BlockTreeOf, MergingWhatWasSplitRestoresTheTree) {
  constexpr int D = TypeParam::kDimension, R = TypeParam::kRatio;
  BlockTree<D, R> tree(Geometry<D, R>(uneven_roots<D>(), 2));
  const auto keys = [&] { return std::vector(tree.keys().begin(), tree.keys().end()); };
  const auto before = keys();
  tree.apply({{0, 2}, {}});
  EXPECT_NE(keys(), before);
  tree.apply({{}, {0, kChildren<D, R> + 1}});
  EXPECT_EQ(keys(), before);
}

}  // namespace
}  // namespace heddle::mesh
