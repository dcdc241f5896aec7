// One round of a refinement: plan it, move the data, change the tree.
//
// Words: a *round* changes each block by at most one level. The number of rounds is fixed beforehand; nothing
// ends them early.
//
// Invariant: after a round the mesh differs by at most one level across faces; data moved with the blocks,
// ghosts are undefined but zero in fresh blocks.
#pragma once

#include <algorithm>
#include <array>
#include <span>

#include "amr/field/octree.hpp"
#include "amr/refine/marking.hpp"
#include "amr/refine/transfer.hpp"

namespace heddle::amr {

struct PlannedRound {
  RefinementPlan plan;  // of this rank's blocks
  double compare_seconds = 0.0;
  double mark_seconds = 0.0;
};

/// What the objects ask of the mesh, one level at most, of one rank's part. share: as for mesh::balance().
[[nodiscard]] PlannedRound plan_round(const BlockTree& tree, const Part& part,
                                      std::span<const Object> objects, const MarkingRule& rule,
                                      const mesh::ShareMarks& share = {});

/// A family's data on its way: from a parent to its children, or back. Slots.
struct Move {
  int parent = -1;
  std::array<int, kChildren> children{};
};

/// So many families move together: their old and new slots are both in use meanwhile.
inline constexpr int kMovesAtOnce = 16;

/// Gives the children of every leaf that splits their share of its data.
/// Requires: the plan belongs to this state of the tree, which store and field follow. for_each(n, copy)
/// calls
///           copy(0..n-1), in any order or at the same time, and returns when all are done.
template <class Field, class ForEach>
void move_splits(Field& field, BlockStore& store, const BlockTree& tree, const RefinementPlan& plan,
                 ForEach&& for_each) {
  const int count = static_cast<int>(plan.splits.size());
  std::array<Move, kMovesAtOnce> moves;
  for (int first = 0; first < count; first += kMovesAtOnce) {
    const int together = std::min(kMovesAtOnce, count - first);
    for (int m = 0; m < together; ++m) {
      const Leaf parent = tree.leaf(plan.splits[first + m]);
      moves[m].parent = store.take(parent.number);
      for (int c = 0; c < kChildren; ++c) {
        moves[m].children[c] = field.reserve();
        store.put(tree.geometry().number(mesh::child<kRatio>(parent.id, c)), moves[m].children[c]);
      }
    }
    for_each(together * kChildren, [&](int n) {
      const Move& move = moves[n / kChildren];
      const int child = move.children[n % kChildren];
      field.clear_ghosts(child);
      split_block(field, move.parent, child, n % kChildren);
    });
    for (int m = 0; m < together; ++m) field.release(moves[m].parent);
  }
}

/// Gives every parent that replaces its children their data. Requires: as move_splits().
template <class Field, class ForEach>
void move_merges(Field& field, BlockStore& store, const BlockTree& tree, const RefinementPlan& plan,
                 ForEach&& for_each) {
  const int count = static_cast<int>(plan.merges.size());
  std::array<Move, kMovesAtOnce> moves;
  for (int first = 0; first < count; first += kMovesAtOnce) {
    const int together = std::min(kMovesAtOnce, count - first);
    for (int m = 0; m < together; ++m) {
      const BlockId parent = mesh::parent<kRatio>(tree.id(plan.merges[first + m]));
      for (int c = 0; c < kChildren; ++c)
        moves[m].children[c] = store.take(tree.geometry().number(mesh::child<kRatio>(parent, c)));
      moves[m].parent = field.reserve();
      store.put(tree.geometry().number(parent), moves[m].parent);
    }
    for_each(together, [&](int n) {
      field.clear_ghosts(moves[n].parent);
      merge_blocks(field, moves[n].children, moves[n].parent);
    });
    for (int m = 0; m < together; ++m) {
      for (const int child : moves[m].children) field.release(child);
    }
  }
}

}  // namespace heddle::amr
