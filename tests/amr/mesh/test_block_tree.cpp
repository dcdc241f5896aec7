#include "amr/mesh/block_tree.hpp"

#include <gtest/gtest.h>

#include "amr/mesh/neighbours.hpp"

namespace heddle::amr {
namespace {

constexpr std::array<int, 8> kSlots{10, 11, 12, 13, 14, 15, 16, 17};

TEST(BlockTree, OneRootHasTheKnownFingerprint) {
  const BlockTree tree(Geometry({1, 1, 1}, 3));
  EXPECT_EQ(to_hex(tree.fingerprint()), "e220a8397b1dcdaf");
}

TEST(BlockTree, LeavesAreOrderedByLevelThenByFallingNumber) {
  BlockTree tree(Geometry({2, 1, 1}, 2));
  tree.apply(std::array{Split{tree.find({0, {0, 0, 0}}), kSlots}}, {});
  ASSERT_EQ(tree.size(), 9);
  EXPECT_EQ(tree.leaves()[0].id, (BlockId{0, {1, 0, 0}}));
  for (int n = 2; n < tree.size(); ++n) EXPECT_GT(tree.leaves()[n - 1].number, tree.leaves()[n].number);
  EXPECT_EQ(tree.find({0, {0, 0, 0}}), BlockTree::kInterior);
  EXPECT_EQ(tree.find({2, {0, 0, 0}}), BlockTree::kAbsent);
}

TEST(BlockTree, MergingWhatWasSplitRestoresTheTree) {
  BlockTree tree(Geometry({1, 2, 1}, 2));
  const auto before = tree.fingerprint();
  tree.apply(std::array{Split{0, kSlots}}, {});
  EXPECT_NE(tree.fingerprint(), before);
  tree.apply({}, std::array{Merge{tree.interior().front(), 3}});
  EXPECT_EQ(tree.fingerprint(), before);
  EXPECT_TRUE(tree.interior().empty());
}

TEST(Neighbours, AFineBlockSeesItsCoarseNeighbourAndIsSeenInTheSameQuarter) {
  BlockTree tree(Geometry({2, 1, 1}, 1));
  tree.apply(std::array{Split{tree.find({0, {0, 0, 0}}), kSlots}}, {});
  const auto faces = find_neighbours(tree);
  const int coarse = tree.find({0, {1, 0, 0}});
  const Face& toward_fine = faces[coarse][0];
  ASSERT_EQ(toward_fine.kind, FaceKind::finer);
  for (int q = 0; q < 4; ++q) {
    const Face& back = faces[toward_fine.leaf[q]][1];
    EXPECT_EQ(back.kind, FaceKind::coarser);
    EXPECT_EQ(back.leaf[0], coarse);
    EXPECT_EQ(back.quarter, q);
  }
  EXPECT_EQ(faces[coarse][1].kind, FaceKind::boundary);
}

TEST(Neighbours, SameLevelNeighboursSeeEachOther) {
  const BlockTree tree(Geometry({3, 2, 2}, 0));
  const auto faces = find_neighbours(tree);
  for (int n = 0; n < tree.size(); ++n) {
    for (int f = 0; f < kFaces; ++f) {
      if (faces[n][f].kind == FaceKind::same) {
        EXPECT_EQ(faces[faces[n][f].leaf[0]][f ^ 1].leaf[0], n);
      }
    }
  }
}

}  // namespace
}  // namespace heddle::amr
