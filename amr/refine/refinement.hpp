// One round of a refinement: mark, constrain, split, merge.
//
// Words: a *round* changes each block by at most one level. The number of rounds is fixed beforehand; nothing
// ends them early.
//
// Invariant: after a round the mesh differs by at most one level across faces; data moved with the blocks,
// ghosts are undefined but zero in fresh blocks.
#pragma once

#include <chrono>
#include <stdexcept>
#include <vector>

#include "amr/mesh/neighbours.hpp"
#include "amr/refine/closure.hpp"
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

struct RoundResult {
  int splits = 0;
  int merges = 0;
  int peak_blocks = 0;              // as the reference counts: blocks and the parent just being replaced
  bool would_redistribute = false;  // the reference counts a redistribution step here, even on one rank
  double compare_seconds = 0.0;
  double mark_seconds = 0.0;
  double split_seconds = 0.0;
  double merge_seconds = 0.0;
};

/// Who splits and who merges in a round.
struct RoundDecision {
  std::vector<int> splits;      // leaf indices
  std::vector<BlockId> merges;  // parents
};

[[nodiscard]] inline RoundDecision decide(const Marks& marks, const Families& families) {
  RoundDecision decision;
  for (std::size_t n = 0; n < marks.size(); ++n) {
    if (marks[n] == Mark::refine) decision.splits.push_back(static_cast<int>(n));
  }
  for (const Family& family : families.list) {
    bool all_coarsen = family.all_leaves;
    for (const int leaf : family.child) all_coarsen = all_coarsen && marks[leaf] == Mark::coarsen;
    if (all_coarsen) decision.merges.push_back(family.parent);
  }
  return decision;
}

/// Errors: throws CapacityExceeded, with tree and field unchanged, if the splits need more than max_blocks
/// blocks.
template <class Field>
RoundResult refine_round(BlockTree& tree, Field& field, std::span<const Object> objects,
                         const MarkingRule& rule, int max_blocks) {
  using Clock = std::chrono::steady_clock;
  auto seconds = [last = Clock::now()]() mutable {
    const auto before = last;
    last = Clock::now();
    return std::chrono::duration<double>(last - before).count();
  };
  RoundResult result;
  const Families families = find_families(tree);
  Marks marks = mark_leaves(tree, families, objects, rule);
  result.compare_seconds = seconds();
  const std::vector<BlockFaces> faces = find_neighbours(tree);
  constrain(marks, tree, faces, families);
  const RoundDecision decision = decide(marks, families);
  result.mark_seconds = seconds();

  const long long splits = static_cast<long long>(decision.splits.size());
  const long long peak = tree.size() + 7 * splits + 1;
  const int cautious = static_cast<int>(0.9 * max_blocks);
  result.would_redistribute =
      peak > cautious || static_cast<long long>(tree.interior().size()) + splits > cautious;
  if (splits > 0 && peak > max_blocks) throw CapacityExceeded(peak);

  std::vector<Split> splits_done;
  splits_done.reserve(decision.splits.size());
  for (const int leaf : decision.splits) {
    Split split{leaf, {}};
    for (int& slot : split.child_slots) slot = field.acquire();
    const int parent_slot = tree.leaves()[leaf].slot;
    split_block(field, parent_slot, split.child_slots);
    field.release(parent_slot);
    splits_done.push_back(split);
  }
  result.split_seconds = seconds();
  std::vector<Merge> merges_done;
  merges_done.reserve(decision.merges.size());
  for (const BlockId& id : decision.merges) {
    std::array<int, kChildren> children{};
    for (int o = 0; o < kChildren; ++o) children[o] = tree.leaves()[tree.find(child(id, o))].slot;
    const int slot = field.acquire();
    merge_blocks(field, children, slot);
    for (const int c : children) field.release(c);
    merges_done.push_back({id, slot});
  }
  tree.apply(splits_done, merges_done);
  result.merge_seconds = seconds();
  result.splits = static_cast<int>(splits);
  result.merges = static_cast<int>(merges_done.size());
  result.peak_blocks = splits + result.merges > 0 ? static_cast<int>(peak) : tree.size();
  return result;
}

}  // namespace heddle::amr
