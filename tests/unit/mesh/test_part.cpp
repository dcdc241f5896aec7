// Parts of random meshes among several ranks: what each knows of the others fits together, and balancing part
// by part gives what balancing the whole gives.
#include "mesh/part.hpp"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>

#include "mesh/balance.hpp"
#include "tests/unit/mesh/meshes.hpp"
#include "tests/unit/mesh/random_tree.hpp"

namespace heddle::mesh {
namespace {

constexpr int kRanks = 4;

template <int D, int R>
std::vector<Part<D, R>> parts_of(const BlockTree<D, R>& tree) {
  std::vector<Part<D, R>> parts;
  for (int rank = 0; rank < kRanks; ++rank) parts.emplace_back(tree, rank);
  return parts;
}

template <int D, int R>
void give_to_random_ranks(BlockTree<D, R>& tree, std::mt19937& random) {
  for (int n = 0; n < tree.size(); ++n)
    tree.set_owner(n, std::uniform_int_distribution(0, kRanks - 1)(random));
}

/// Marks of one round among ranks that share as they would by messages: everybody sweeps, then the highest
/// mark that anybody knows of a leaf becomes everybody's.
template <int D, int R>
std::vector<Marks> balance_parts(const std::vector<Part<D, R>>& parts, std::vector<Marks> marks) {
  bool goes_on = true;
  while (goes_on) {
    goes_on = false;
    std::map<int, Mark> highest;
    for (std::size_t r = 0; r < parts.size(); ++r) {
      bool is_first = true;
      // One sweep to convergence, then hand over: the callback ends it.
      balance<D, R>(marks[r], parts[r], [&](Marks&, bool has_raised) {
        goes_on |= has_raised && is_first;
        is_first = false;
        return false;
      });
      for (int n = 0; n < parts[r].size(); ++n) {
        Mark& most = highest.try_emplace(parts[r].leaf_index(n), marks[r][n]).first->second;
        most = std::max(most, marks[r][n]);
      }
    }
    for (std::size_t r = 0; r < parts.size(); ++r) {
      for (int n = 0; n < parts[r].size(); ++n) {
        const Mark most = highest.at(parts[r].leaf_index(n));
        goes_on |= marks[r][n] != most;
        marks[r][n] = most;
      }
    }
  }
  return marks;
}

template <class Kind>
class PartOf : public ::testing::Test {};
TYPED_TEST_SUITE(PartOf, Kinds);

TYPED_TEST(PartOf, PartnersKnowTheSameOfEachOther) {
  constexpr int D = TypeParam::kDimension, R = TypeParam::kRatio;
  SeededRandom random;
  BlockTree<D, R> tree = random_tree<D, R>(6, random);
  give_to_random_ranks(tree, random);
  const auto parts = parts_of(tree);
  int own = 0, partners = 0;
  for (const auto& part : parts) {
    own += part.own();
    for (const Partner& partner : part.partners()) {
      ++partners;
      const auto& others = parts[partner.rank].partners();
      const auto back = std::find_if(others.begin(), others.end(),
                                     [&](const Partner& other) { return other.rank == part.rank(); });
      ASSERT_NE(back, others.end());
      const auto indices = [](const Part<D, R>& of, const std::vector<int>& locals) {
        std::vector<int> found;
        for (const int local : locals) found.push_back(of.leaf_index(local));
        return found;
      };
      EXPECT_EQ(indices(part, partner.theirs), indices(parts[partner.rank], back->mine));
      EXPECT_EQ(indices(part, partner.mine), indices(parts[partner.rank], back->theirs));
    }
  }
  EXPECT_EQ(own, tree.size());
  EXPECT_GT(partners, 0);
}

TYPED_TEST(PartOf, FacesAreThoseOfTheWholeMesh) {
  constexpr int D = TypeParam::kDimension, R = TypeParam::kRatio;
  SeededRandom random;
  BlockTree<D, R> tree = random_tree<D, R>(6, random);
  give_to_random_ranks(tree, random);
  for (const auto& part : parts_of(tree)) {
    for (int n = 0; n < part.own(); ++n) {
      EXPECT_EQ(part.leaf(n).id, tree.id(part.leaf_index(n)));
      const auto whole = find_neighbours(tree, part.leaf(n).id);
      for (int f = 0; f < kFaces<D>; ++f) {
        ASSERT_EQ(part.faces(n)[f].kind, whole[f].kind);
        for (int s = 0; s < whole[f].count(); ++s)
          EXPECT_EQ(part.leaf_index(part.faces(n)[f].leaf[s]), whole[f].leaf[s]);
      }
    }
  }
}

TYPED_TEST(PartOf, RanksPlanWhatOneWouldPlan) {
  constexpr int D = TypeParam::kDimension, R = TypeParam::kRatio;
  SeededRandom random;
  BlockTree<D, R> tree = random_tree<D, R>(2, random);
  int merges = 0;
  for (int round = 0; round < 8; ++round) {
    BlockTree<D, R> shared = tree;
    give_to_random_ranks(shared, random);
    const Part<D, R> whole(tree, 0);
    const Marks asked = random_marks(tree.geometry(), whole, random);
    Marks balanced = asked;
    balance(balanced, whole);
    const RefinementPlan expected = plan_refinement(balanced, whole);

    const auto parts = parts_of(shared);
    std::vector<Marks> marks;
    for (const auto& part : parts) {
      Marks& mine = marks.emplace_back(part.size(), Mark::coarsen);
      for (int n = 0; n < part.own(); ++n) mine[n] = asked[part.leaf_index(n)];
    }
    marks = balance_parts(parts, std::move(marks));
    std::set<int> splits, merged;
    for (std::size_t r = 0; r < parts.size(); ++r) {
      const RefinementPlan plan = plan_refinement(marks[r], parts[r]);
      splits.insert(plan.splits.begin(), plan.splits.end());
      merged.insert(plan.merges.begin(), plan.merges.end());
    }
    EXPECT_EQ(std::vector<int>(splits.begin(), splits.end()), expected.splits);
    EXPECT_EQ(std::vector<int>(merged.begin(), merged.end()), expected.merges);
    merges += static_cast<int>(merged.size());
    tree.apply(expected);
  }
  EXPECT_GT(merges, 0);
}

}  // namespace
}  // namespace heddle::mesh
