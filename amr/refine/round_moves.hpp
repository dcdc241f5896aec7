// Blocks that change their rank before a round of a refinement, so that the round has room on every rank.
//
// Words: a rank's *peak* is the most blocks that it has during a round: those that it has before, seven more
// for each that it splits, and one, since a parent's place is free only when its children are there.
//
// Invariant: every rank computes the same moves from the same keys.
//
// Source: the reference's rules. Siblings that are joined are brought together; where a rank would have more
// than nine tenths of what it may have, blocks that are to be split go where there is room.
#pragma once

#include <vector>

#include "amr/refine/migration.hpp"

namespace heddle::amr {

struct RoundMoves {
  std::vector<BlockMove> moves;
  bool is_redistribution = false;  // some rank was close to what it may have, even if nothing could be moved
  std::vector<long long> peaks;    // by rank, once the blocks are moved
  /// The rank that has too little room even so, and how much it needs; -1: none.
  int rank_without_room = -1;
  long long needed = 0;
};

/// plan: that of all ranks together. max_blocks: of each.
[[nodiscard]] RoundMoves plan_moves(const BlockTree& tree, const RefinementPlan& plan, int ranks,
                                    int max_blocks);

/// Interior blocks whose first leaf a rank has, for every rank.
[[nodiscard]] std::vector<long long> parents_of_ranks(const BlockTree& tree, int ranks);

}  // namespace heddle::amr
