#include "amr/refine/refinement.hpp"

#include <gtest/gtest.h>

#include "amr/field/contiguous.hpp"
#include "amr/field/initial_values.hpp"
#include "amr/refine/round_moves.hpp"

namespace heddle::amr {
namespace {

constexpr Shape kShape{{4, 4, 4}, 2};

Object sphere(double at, double radius) {
  Object o;
  o.type = 2;
  o.centre = {at, at, at};
  o.size = {radius, radius, radius};
  return o;
}

struct Mesh {
  BlockTree tree{Geometry({1, 1, 1}, 4)};
  ContiguousField field{kShape};
  BlockStore store;
  MarkingRule rule{false, false, kShape.cells};

  Mesh() {
    RandomStream stream;
    store.put(0, field.acquire());
    fill_initial_values(field, store.slot(0), stream);
  }
  void refine(std::span<const Object> objects) {
    const PlannedRound round = plan_round(tree, Part(tree, 0), objects, rule);
    BlockLoops work(field, [](int n, const std::function<void(int)>& copy) {
      for (int i = n - 1; i >= 0; --i) copy(i);  // any order will do
    });
    move_splits(field, work, store, tree, round.plan, 0);
    move_merges(field, work, store, tree, round.plan, 0);
    work.finish();
    tree.apply(round.plan);
  }
  [[nodiscard]] double total(int v) {
    double sum = 0.0;
    for (int n = 0; n < tree.size(); ++n) {
      const Leaf leaf = tree.leaf(n);
      for (int i = 1; i <= 4; ++i) {
        for (int j = 1; j <= 4; ++j) {
          for (int k = 1; k <= 4; ++k) sum += field.at(store.slot(leaf.number), v, i, j, k);
        }
      }
    }
    return sum;
  }
};

TEST(Round, KeepsOneLevelOfDifferenceAcrossFacesWhileASphereSweepsThrough) {
  Mesh m;
  for (int step = 0; step < 30; ++step) {
    const Object o = sphere(-0.2 + 0.05 * step, 0.3);
    m.refine({&o, 1});
    for (int n = 0; n < m.tree.size(); ++n) {
      for (const auto& face : mesh::find_neighbours(m.tree, m.tree.id(n))) {  // asserts in a debug build
        for (int q = 0; q < face.count(); ++q) ASSERT_GE(face.leaf[q], 0);
      }
    }
  }
}

TEST(Round, ConservesEveryVariable) {
  Mesh m;
  const double before = m.total(1);
  for (int step = 0; step < 20; ++step) {
    const Object o = sphere(0.05 * step, 0.25);
    m.refine({&o, 1});
  }
  EXPECT_GT(m.tree.size(), 8);
  EXPECT_NEAR(m.total(1), before, 1e-12 * before);
}

TEST(Round, CoarsensBackToTheRootWhenNothingIsLeft) {
  Mesh m;
  const Object o = sphere(0.3, 0.2);
  for (int n = 0; n < 4; ++n) m.refine({&o, 1});
  for (int n = 0; n < 4; ++n) m.refine({});
  EXPECT_EQ(m.tree.size(), 1);
}

TEST(Round, SaysWhenItNeedsMoreBlocksThanThereMayBe) {
  Mesh m;
  const Object o = sphere(0.3, 0.2);
  m.refine({&o, 1});
  const RefinementPlan plan = plan_round(m.tree, Part(m.tree, 0), {&o, 1}, m.rule).plan;
  const RoundMoves tight = plan_moves(m.tree, plan, 1, 9);
  EXPECT_EQ(tight.rank_without_room, 0);
  EXPECT_EQ(tight.needed, m.tree.size() + 7 * static_cast<int>(plan.splits.size()) + 1);
  EXPECT_TRUE(tight.is_redistribution);
  EXPECT_EQ(plan_moves(m.tree, plan, 1, static_cast<int>(tight.needed)).rank_without_room, -1);
  EXPECT_FALSE(plan_moves(m.tree, plan, 1, 1000).is_redistribution);
}

TEST(RoundMoves, TakeWhatIsToBeSplitWhereThereIsRoom) {
  BlockTree tree(Geometry({8, 1, 1}, 1));  // all of rank 0
  const RefinementPlan plan{{0, 1, 2, 3, 4, 5, 6, 7}, {}};
  const RoundMoves round = plan_moves(tree, plan, 4, 24);
  EXPECT_EQ(round.rank_without_room, -1);
  EXPECT_EQ(round.moves.size(), 6);
  for (const long long peak : round.peaks) EXPECT_LE(peak, 24);
  EXPECT_TRUE(plan_moves(tree, plan, 4, 100).moves.empty());
  EXPECT_GE(plan_moves(tree, plan, 4, 10).rank_without_room, 0);
}

TEST(RoundMoves, BringSiblingsTogether) {
  BlockTree tree(Geometry({1, 1, 1}, 1));
  tree.apply({{0}, {}});
  for (int n = 0; n < 8; ++n) tree.set_owner(n, n % 3);
  const RoundMoves round = plan_moves(tree, {{}, {0}}, 3, 100);
  EXPECT_EQ(round.moves.size(), 5);
  for (const BlockMove& move : round.moves) EXPECT_EQ(move.to, 0);
  EXPECT_EQ(round.peaks, (std::vector<long long>{9, 0, 0}));
}

TEST(Round, UniformRefinementSplitsEverything) {
  Mesh m;
  m.rule.uniform = true;
  for (int n = 0; n < 3; ++n) m.refine({});
  EXPECT_EQ(m.tree.leaves_per_level(), (std::vector<int>{0, 0, 0, 512, 0}));
}

}  // namespace
}  // namespace heddle::amr
