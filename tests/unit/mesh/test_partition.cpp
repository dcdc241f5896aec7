// What every partition keeps: each leaf has one rank, ranks differ by a few leaves at most, and what stands
// together along a curve stays together.
#include "mesh/partition.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "tests/unit/mesh/random_tree.hpp"

namespace heddle::mesh {
namespace {

TEST(Cuts, PlaceRanksAsTheReferenceDoes) {
  // Four ranks 2 x 2 x 1: by length rank = 2 X + Y, otherwise X + 2 Y.
  using Positions = std::vector<std::array<int, 3>>;
  EXPECT_EQ(grid_positions<3>(cuts_of<3>({2, 2, 1}, true)),
            (Positions{{0, 0, 0}, {0, 1, 0}, {1, 0, 0}, {1, 1, 0}}));
  EXPECT_EQ(grid_positions<3>(cuts_of<3>({2, 2, 1}, false)),
            (Positions{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}}));
}

TEST(Cuts, GiveEachRankAPlaceOfItsOwn) {
  for (const std::array<int, 3> grid : {std::array{1, 1, 1}, {6, 1, 1}, {3, 4, 5}, {2, 9, 7}, {1, 1, 13}}) {
    for (const bool by_length : {true, false}) {
      auto positions = grid_positions<3>(cuts_of<3>(grid, by_length));
      ASSERT_EQ(positions.size(), static_cast<std::size_t>(grid[0] * grid[1] * grid[2]));
      for (const auto& at : positions) {
        for (int d = 0; d < 3; ++d) EXPECT_TRUE(0 <= at[d] && at[d] < grid[d]);
      }
      std::sort(positions.begin(), positions.end());
      EXPECT_EQ(std::unique(positions.begin(), positions.end()), positions.end());
    }
  }
}

template <int D>
std::vector<Cut> cuts_for(int ranks) {
  std::array<int, D> grid{};
  grid.fill(1);
  grid[0] = ranks;
  return cuts_of<D>(grid, true);
}

void expect_even(const std::vector<int>& owners, int ranks) {
  std::vector<int> count(ranks, 0);
  for (const int owner : owners) {
    ASSERT_TRUE(0 <= owner && owner < ranks);
    ++count[owner];
  }
  const auto [least, most] = std::minmax_element(count.begin(), count.end());
  // A cut in f gives each part the quotient rounded up but the last; cuts follow each other.
  EXPECT_LE(*most - *least, 4 * ranks) << *least << " to " << *most;
  const int leaves = static_cast<int>(owners.size());
  EXPECT_LE(*most, (leaves + ranks - 1) / ranks + 4);
}

template <class Kind>
class PartitionOf : public ::testing::Test {};
TYPED_TEST_SUITE(PartitionOf, Kinds);

TYPED_TEST(PartitionOf, IsEvenForAnyNumberOfRanks) {
  constexpr int D = TypeParam::kDimension, R = TypeParam::kRatio;
  SeededRandom random;
  const BlockTree<D, R> tree = random_tree<D, R>(5, random);
  for (const int ranks : {1, 2, 3, 4, 6, 8, 12, 16}) {
    expect_even(cut_curve(places_of(tree), cuts_for<D>(ranks), 1), ranks);
    expect_even(bisect(tree, cuts_for<D>(ranks), {}), ranks);
    expect_even(bisect(tree, cuts_for<D>(ranks), {.along_longest = true}), ranks);
    expect_even(bisect(tree, cuts_for<D>(ranks), {.breaks_ties_by_rank = true}), ranks);
  }
}

TYPED_TEST(PartitionOf, BisectionByOneRankFindsWhatItGetsFromAll) {
  constexpr int D = TypeParam::kDimension, R = TypeParam::kRatio;
  SeededRandom random;
  const BlockTree<D, R> tree = random_tree<D, R>(4, random);
  for (const int ranks : {1, 3, 8, 12}) {
    for (const bool keeps_planes : {false, true}) {
      const BisectionRule rule{.keeps_planes = keeps_planes};
      const auto all = bisect(tree, cuts_for<D>(ranks), rule);
      for (int rank = 0; rank < ranks; ++rank) {
        const auto mine = bisect(tree, cuts_for<D>(ranks), rule, rank);
        for (int n = 0; n < tree.size(); ++n) EXPECT_EQ(mine[n], all[n] == rank ? rank : kEveryRank);
      }
    }
  }
}

TYPED_TEST(PartitionOf, OfACurveIsInItsOrderAndLeavesFamiliesWhole) {
  constexpr int D = TypeParam::kDimension, R = TypeParam::kRatio;
  SeededRandom random;
  const BlockTree<D, R> tree = random_tree<D, R>(5, random);
  for (const bool keeps_families : {false, true}) {
    const auto owners = cut_curve(places_of(tree), cuts_for<D>(6), keeps_families ? kChildren<D, R> : 1);
    EXPECT_TRUE(std::is_sorted(owners.begin(), owners.end()));
    if (!keeps_families) continue;
    const int deepest = tree.geometry().deepest_level();
    for (int n = 1; n < tree.size(); ++n) {
      const bool are_siblings = tree.key(n).level == deepest && tree.key(n - 1).level == deepest &&
                                parent<R>(tree.id(n)) == parent<R>(tree.id(n - 1));
      if (are_siblings) {
        EXPECT_EQ(owners[n], owners[n - 1]);
      }
    }
  }
}

TYPED_TEST(PartitionOf, BisectionKeepsPlanesTogetherWhereAsked) {
  constexpr int D = TypeParam::kDimension, R = TypeParam::kRatio;
  const BlockTree<D, R> tree(Geometry<D, R>(uneven_roots<D>(), 1));
  const std::vector<Cut> cuts{{2, 1}};
  const auto owners = bisect(tree, cuts, {.keeps_planes = true});
  for (int a = 0; a < tree.size(); ++a) {
    for (int b = 0; b < tree.size(); ++b) {
      if (tree.id(a).position[1] == tree.id(b).position[1]) {
        EXPECT_EQ(owners[a], owners[b]);
      }
    }
  }
  EXPECT_NE(*std::min_element(owners.begin(), owners.end()), *std::max_element(owners.begin(), owners.end()));
}

TYPED_TEST(PartitionOf, BetweenFamiliesKeepsSiblingsTogetherAndIsEvenButForThem) {
  constexpr int D = TypeParam::kDimension, R = TypeParam::kRatio;
  SeededRandom random;
  const BlockTree<D, R> tree = random_tree<D, R>(5, random);
  for (const int ranks : {1, 2, 3, 7, 16, 100000}) {
    const std::vector<int> owners = cut_between_families(tree, ranks);
    EXPECT_TRUE(std::is_sorted(owners.begin(), owners.end()));
    const Part<D, R> part(tree, 0);
    for (const auto& family : part.families()) {
      if (!family.all_leaves) continue;
      for (const int leaf : family.child) EXPECT_EQ(owners[leaf], owners[family.child[0]]);
    }
    for (int rank = 0; rank < std::min(ranks, 16); ++rank) {
      const auto have = std::count(owners.begin(), owners.end(), rank);
      EXPECT_LE(have, tree.size() / ranks + 1 + (kChildren<D, R>));
      if (ranks <= 16) {
        EXPECT_GE(have, tree.size() / ranks - (kChildren<D, R>));
      }
    }
  }
}

}  // namespace
}  // namespace heddle::mesh
