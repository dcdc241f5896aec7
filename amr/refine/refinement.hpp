// One round of a refinement: plan it, move the data, change the tree.
//
// Words: a *round* changes each block by at most one level. The number of rounds is fixed beforehand; nothing
// ends them early.
//
// Invariant: after a round the mesh differs by at most one level across faces; data moved with the blocks,
// ghosts are undefined but zero in fresh blocks.
#pragma once

#include <span>
#include <stdexcept>

#include "amr/field/octree.hpp"
#include "amr/refine/marking.hpp"
#include "amr/refine/transfer.hpp"

namespace heddle::amr {

/// A round would need more blocks than there may be.
class CapacityExceeded : public std::runtime_error {
 public:
  explicit CapacityExceeded(long long needed) : std::runtime_error("too many blocks"), needed_(needed) {}
  [[nodiscard]] long long needed() const { return needed_; }

 private:
  long long needed_;
};

struct PlannedRound {
  RefinementPlan plan;
  int peak_blocks = 0;              // as the reference counts: blocks and the parent just being replaced
  bool would_redistribute = false;  // the reference counts a redistribution step here, even on one rank
  double compare_seconds = 0.0;
  double mark_seconds = 0.0;
};

/// What the objects ask of the mesh, one level at most.
/// Errors: throws CapacityExceeded if the splits need more than max_blocks blocks.
[[nodiscard]] PlannedRound plan_round(const BlockTree& tree, std::span<const Object> objects,
                                      const MarkingRule& rule, int max_blocks);

/// Gives the children of every leaf that splits their share of its data.
/// Requires: the plan belongs to this state of the tree, which store and field follow.
template <class Field>
void move_splits(Field& field, BlockStore& store, const BlockTree& tree, const RefinementPlan& plan) {
  for (const int leaf : plan.splits) {
    const Leaf& parent = tree.leaves()[static_cast<std::size_t>(leaf)];
    std::array<int, kChildren> children{};
    for (int& slot : children) slot = field.acquire();
    const int slot = store.take(parent.number);
    split_block(field, slot, children);
    field.release(slot);
    for (int c = 0; c < kChildren; ++c)
      store.put(tree.geometry().number(mesh::child<kRatio>(parent.id, c)), children[c]);
  }
}

/// Gives every parent that replaces its children their data. Requires: as move_splits().
template <class Field>
void move_merges(Field& field, BlockStore& store, const BlockTree& tree, const RefinementPlan& plan) {
  for (const BlockId& parent : plan.merges) {
    std::array<int, kChildren> children{};
    for (int c = 0; c < kChildren; ++c)
      children[c] = store.take(tree.geometry().number(mesh::child<kRatio>(parent, c)));
    const int slot = field.acquire();
    merge_blocks(field, children, slot);
    for (const int child : children) field.release(child);
    store.put(tree.geometry().number(parent), slot);
  }
}

}  // namespace heddle::amr
