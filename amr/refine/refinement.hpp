// One round of a refinement: plan it, move the data, change the tree.
//
// Words: a *round* changes each block by at most one level. The number of rounds is fixed beforehand; nothing
// ends them early.
//
// Invariant: after a round the mesh differs by at most one level across faces; data moved with the blocks,
// ghosts are zero in fresh ones.
#pragma once

#include <array>
#include <span>

#include "amr/field/octree.hpp"
#include "amr/refine/block_work.hpp"
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

/// Gives the children of every leaf that splits their share of its data, and faces of that generation.
/// Requires: the plan belongs to this state of the tree, which store and field follow.
template <class Field>
void move_splits(Field& field, BlockCopies& work, BlockStore& store, const BlockTree& tree,
                 const RefinementPlan& plan, int generation) {
  for (const int leaf : plan.splits) {
    const Leaf parent = tree.leaf(leaf);
    const int from = store.take(parent.number);
    for (int c = 0; c < kChildren; ++c) {
      const int child = work.take();
      store.put(tree.geometry().number(mesh::child<kRatio>(parent.id, c)), child);
      work.copy({&from, 1}, child, [&field, from, child, c, generation] {
        field.clear_ghosts(child);
        split_block(field, from, child, c, generation);
      });
    }
    work.give_back(from);
  }
}

/// Gives every parent that replaces its children their data. Requires: as move_splits().
template <class Field>
void move_merges(Field& field, BlockCopies& work, BlockStore& store, const BlockTree& tree,
                 const RefinementPlan& plan, int generation) {
  for (const int leaf : plan.merges) {
    const BlockId parent = mesh::parent<kRatio>(tree.id(leaf));
    std::array<int, kChildren> children{};
    for (int c = 0; c < kChildren; ++c)
      children[c] = store.take(tree.geometry().number(mesh::child<kRatio>(parent, c)));
    const int to = work.take();
    store.put(tree.geometry().number(parent), to);
    work.copy(children, to, [&field, children, to, generation] {
      field.clear_ghosts(to);
      merge_blocks(field, children, to, generation);
    });
    for (const int child : children) work.give_back(child);
  }
}

}  // namespace heddle::amr
