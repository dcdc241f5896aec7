// Who gets which blocks: the bricks at the start, and partitions after refinements.
//
// Source: the reference's rules for when to balance and how many blocks may move.
#pragma once

#include <vector>

#include "amr/field/octree.hpp"
#include "amr/refine/migration.hpp"
#include "exchange/communicator.hpp"
#include "mesh/partition.hpp"

namespace heddle::amr {

/// Recursive coordinate bisection, or cuts of a curve.
enum class BalanceMethod { rcb, morton, hilbert, trunc_hilbert };

struct BalanceRule {
  std::array<int, kAxes> grid{1, 1, 1};  // of ranks
  bool is_reordered = true;              // --reorder
  BalanceMethod method = BalanceMethod::rcb;
  bool keeps_groups = false;  // --group_blocks
  mesh::BisectionRule bisection;
  int percent_imbalance = 0;  // --inbalance: balance above it
  int percent_moves = 0;      // --limit_move: of a rank's blocks; 0: all may move
};

/// Gives each rank its root blocks: a brick, or as many along Hilbert's curve. Requires: the tree has roots
/// only, and the grid divides them.
void give_bricks(BlockTree& tree, const BalanceRule& rule);

/// Whether the blocks are unevenly distributed enough.
[[nodiscard]] bool is_unbalanced(const BlockTree& tree, const BalanceRule& rule);

/// Moves to an even distribution, the same on every rank. may_limit: --limit_move counts.
/// Collective: with bisection each rank looks for its own leaves, and tells the others.
[[nodiscard]] std::vector<BlockMove> balancing_moves(const BlockTree& tree, const BalanceRule& rule,
                                                     bool may_limit, exchange::Communicator& ranks);

/// The same, by one process for all ranks.
[[nodiscard]] std::vector<BlockMove> balancing_moves(const BlockTree& tree, const BalanceRule& rule,
                                                     bool may_limit);

/// How many blocks each rank has once these moves are made.
[[nodiscard]] std::vector<int> blocks_after(const BlockTree& tree, const std::vector<BlockMove>& moves,
                                            int ranks);

}  // namespace heddle::amr
