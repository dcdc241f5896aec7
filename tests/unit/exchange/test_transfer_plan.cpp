#include "exchange/transfer_plan.hpp"

#include <gtest/gtest.h>

#include "tests/unit/mesh/meshes.hpp"

namespace heddle::exchange {
namespace {

using mesh::BlockTree;
using mesh::Geometry;
using mesh::kFaces;
using mesh::kSubfaces;

template <class Kind>
class TransferPlanOf : public ::testing::Test {};
TYPED_TEST_SUITE(TransferPlanOf, mesh::Kinds);

TYPED_TEST(TransferPlanOf, NamesSlotsOfTheStoreAndMirrorsEveryTransferBetweenBlocks) {
  constexpr int D = TypeParam::kDimension, R = TypeParam::kRatio;
  BlockTree<D, R> tree(Geometry<D, R>(mesh::uneven_roots<D>(), 1));
  tree.apply({{1, 4}, {}});
  BlockStore store;
  for (int n = 0; n < tree.size(); ++n) store.put(tree.leaf(n).number, 100 + 7 * n);
  const TransferPlan<D, R> plan(mesh::Part<D, R>(tree, 0), store);
  ASSERT_EQ(plan.leaves(), tree.size());
  int mirrored = 0;
  for (int leaf = 0; leaf < plan.leaves(); ++leaf) {
    ASSERT_EQ(plan.slot(leaf), 100 + 7 * leaf);
    std::size_t of_faces = 0;
    for (int f = 0; f < kFaces<D>; ++f) {
      const auto into = plan.into_face(leaf, f);
      of_faces += into.size();
      ASSERT_TRUE((into.size() == 1 || into.size() == kSubfaces<D, R>));
      for (const Transfer& t : into) {
        ASSERT_EQ(t.destination, plan.slot(leaf));
        ASSERT_EQ(t.face, f);
        if (t.op == Operator::boundary) {
          ASSERT_EQ(t.source, t.destination);
          continue;
        }
        bool found = false;
        for (const Transfer& back : plan.into_face((t.source - 100) / 7, f ^ 1))
          found = found || (back.source == t.destination && back.subface == t.subface &&
                            (t.op == Operator::same_level) == (back.op == Operator::same_level));
        ASSERT_TRUE(found);
        ++mirrored;
      }
    }
    EXPECT_EQ(plan.into(leaf).size(), of_faces);
  }
  EXPECT_GT(mirrored, 0);
}

TEST(TransferPlan, CountsEverySideOfEveryFace) {
  BlockTree<3, 2> tree(Geometry<3, 2>({2, 1, 1}, 1));
  tree.apply({{tree.find({0, {0, 0, 0}})}, {}});
  BlockStore store;
  for (int n = 0; n < tree.size(); ++n) store.put(tree.leaf(n).number, n);
  const TransferPlan<3, 2> plan(mesh::Part<3, 2>(tree, 0), store);
  int of_op[4] = {};
  for (int leaf = 0; leaf < plan.leaves(); ++leaf) {
    for (const Transfer& t : plan.into_axis(leaf, 0)) ++of_op[static_cast<int>(t.op)];
  }
  EXPECT_EQ(of_op[static_cast<int>(Operator::from_coarse)], 4);  // four subfaces, each seen from both sides
  EXPECT_EQ(of_op[static_cast<int>(Operator::from_fine)], 4);
  EXPECT_EQ(of_op[static_cast<int>(Operator::same_level)], 8);
  EXPECT_EQ(of_op[static_cast<int>(Operator::boundary)], 5);
}

TEST(BlockStore, ForgetsWhatIsTaken) {
  BlockStore store;
  store.put(7, 3);
  EXPECT_EQ(store.slot(7), 3);
  EXPECT_EQ(store.take(7), 3);
  EXPECT_EQ(store.size(), 0);
  store.put(7, 4);
  EXPECT_EQ(store.slot(7), 4);
}

}  // namespace
}  // namespace heddle::exchange
