#include "amr/refine/load_balance.hpp"

#include <gtest/gtest.h>

namespace heddle::amr {
namespace {

// Two ranks in a row; the cuts of a curve need no communicator.
BalanceRule along_morton() {
  BalanceRule rule;
  rule.grid = {2, 1, 1};
  rule.method = BalanceMethod::morton;
  return rule;
}

TEST(LoadBalance, MovesHalfOfWhatOneOfTwoRanksHas) {
  BlockTree tree(Geometry({2, 2, 2}, 1));
  const BalanceRule rule = along_morton();
  exchange::SerialCommunicator alone;
  EXPECT_TRUE(is_unbalanced(tree, rule));
  const std::vector<BlockMove> moves = balancing_moves(tree, rule, false, alone);
  EXPECT_EQ(moves.size(), 4u);
  EXPECT_EQ(blocks_after(tree, moves, 2), (std::vector<int>{4, 4}));
  for (const BlockMove& move : moves) tree.set_owner(move.leaf, move.to);
  EXPECT_FALSE(is_unbalanced(tree, rule));
  EXPECT_TRUE(balancing_moves(tree, rule, false, alone).empty());
}

TEST(LoadBalance, MovesNoMoreThanTheLimit) {
  const BlockTree tree(Geometry({2, 2, 2}, 1));
  BalanceRule rule = along_morton();
  rule.percent_moves = 25;
  exchange::SerialCommunicator alone;
  EXPECT_EQ(balancing_moves(tree, rule, true, alone).size(), 2u);
  EXPECT_EQ(balancing_moves(tree, rule, false, alone).size(), 4u);
}

TEST(LoadBalance, GivesEachRankItsBrick) {
  BlockTree tree(Geometry({4, 2, 2}, 1));
  BalanceRule rule = along_morton();
  give_bricks(tree, rule);
  EXPECT_EQ(blocks_after(tree, {}, 2), (std::vector<int>{8, 8}));
  for (int n = 0; n < tree.size(); ++n) EXPECT_EQ(tree.key(n).owner, tree.id(n).position[0] / 2);
}

}  // namespace
}  // namespace heddle::amr
