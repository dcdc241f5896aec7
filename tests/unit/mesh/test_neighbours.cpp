#include "mesh/neighbours.hpp"

#include <gtest/gtest.h>

#include "tests/unit/mesh/meshes.hpp"

namespace heddle::mesh {
namespace {

TEST(Neighbours, AFineBlockSeesItsCoarseNeighbourAndIsSeenAtTheSameSubface) {
  BlockTree<3, 2> tree(Geometry<3, 2>({2, 1, 1}, 1));
  tree.apply({{tree.find({0, {0, 0, 0}})}, {}});
  const auto faces = find_neighbours(tree, {0, {1, 0, 0}});
  const auto& toward_fine = faces[0];
  ASSERT_EQ(toward_fine.kind, FaceKind::finer);
  // Subface 1 is the upper half along y, the first transverse axis of x.
  EXPECT_EQ(toward_fine.leaf[1], tree.find({1, {1, 1, 0}}));
  EXPECT_EQ(faces[1].kind, FaceKind::boundary);
}

TEST(Neighbours, APeriodicAxisJoinsItsEndsAcrossLevelsToo) {
  BlockTree<2, 3> tree(Geometry<2, 3>({2, 1}, 1, {Curve::peano, {true, false}}));
  tree.apply({{tree.find({0, {1, 0}})}, {}});
  const auto coarse = find_neighbours(tree, {0, {0, 0}});
  ASSERT_EQ(coarse[0].kind, FaceKind::finer);
  for (int s = 0; s < 3; ++s) EXPECT_EQ(coarse[0].leaf[s], tree.find({1, {5, s}}));
  EXPECT_EQ(coarse[2].kind, FaceKind::boundary);
  const auto fine = find_neighbours(tree, {1, {5, 1}});
  ASSERT_EQ(fine[1].kind, FaceKind::coarser);
  EXPECT_EQ(fine[1].leaf[0], tree.find({0, {0, 0}}));
  EXPECT_EQ(fine[1].subface, 1);
}

template <int D, int R>
std::vector<BlockFaces<D, R>> all_neighbours(const BlockTree<D, R>& tree) {
  std::vector<BlockFaces<D, R>> faces;
  for (int n = 0; n < tree.size(); ++n) faces.push_back(find_neighbours(tree, tree.id(n)));
  return faces;
}

template <class Kind>
class NeighboursOf : public ::testing::Test {};
TYPED_TEST_SUITE(NeighboursOf, Kinds);

TYPED_TEST(NeighboursOf, SeeEachOtherAcrossEveryFaceOfAMeshWithTwoLevels) {
  constexpr int D = TypeParam::kDimension, R = TypeParam::kRatio;
  BlockTree<D, R> tree(Geometry<D, R>(uneven_roots<D>(), 1));
  RefinementPlan plan;
  for (int n = 0; n < tree.size(); n += 2) plan.splits.push_back(n);
  tree.apply(plan);
  const auto faces = all_neighbours(tree);
  int met[4] = {};
  for (int n = 0; n < tree.size(); ++n) {
    for (int f = 0; f < kFaces<D>; ++f) {
      const auto& face = faces[n][f];
      ++met[static_cast<int>(face.kind)];
      for (int s = 0; s < face.count(); ++s) {
        const auto& back = faces[face.leaf[s]][f ^ 1];
        if (face.kind == FaceKind::same) {
          ASSERT_EQ(back.kind, FaceKind::same);
          ASSERT_EQ(back.leaf[0], n);
        } else if (face.kind == FaceKind::finer) {
          ASSERT_EQ(back.kind, FaceKind::coarser);
          ASSERT_EQ(back.leaf[0], n);
          ASSERT_EQ(back.subface, s);
        } else {
          ASSERT_EQ(back.kind, FaceKind::finer);
          ASSERT_EQ(back.leaf[face.subface], n);
        }
      }
    }
  }
  for (const int times : met) EXPECT_GT(times, 0);
}

TYPED_TEST(NeighboursOf, TouchInSpace) {
  constexpr int D = TypeParam::kDimension, R = TypeParam::kRatio;
  BlockTree<D, R> tree(Geometry<D, R>(uneven_roots<D>(), 1));
  tree.apply({{0, tree.size() - 1}, {}});
  const auto& g = tree.geometry();
  const auto faces = all_neighbours(tree);
  for (int n = 0; n < tree.size(); ++n) {
    const auto mine = g.extent(tree.id(n));
    for (int f = 0; f < kFaces<D>; ++f) {
      for (int s = 0; s < faces[n][f].count(); ++s) {
        const auto theirs = g.extent(tree.id(faces[n][f].leaf[s]));
        for (int d = 0; d < D; ++d) {
          if (d == f / 2)
            EXPECT_EQ(f % 2 == 0 ? mine.low[d] : mine.high[d], f % 2 == 0 ? theirs.high[d] : theirs.low[d]);
          else
            EXPECT_TRUE(mine.low[d] < theirs.high[d] && theirs.low[d] < mine.high[d]);
        }
      }
    }
  }
}

}  // namespace
}  // namespace heddle::mesh
