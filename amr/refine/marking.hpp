// Marks: what each leaf would like to do in this round of a refinement.
//
// Words: a mark is +1 *refine*, 0 *stay*, -1 *may coarsen*. To *freeze* a family is to raise every -1 in it
// to 0.
//
// Invariant: once set for a round, marks only increase, so no result depends on the order of visits.
#pragma once

#include <span>
#include <vector>

#include "amr/mesh/block_tree.hpp"
#include "amr/refine/families.hpp"
#include "amr/refine/object.hpp"

namespace heddle::amr {

enum class Mark : signed char { coarsen = -1, stay = 0, refine = 1 };
using Marks = std::vector<Mark>;

struct MarkingRule {
  bool uniform = false;       // refine every leaf above the deepest level, whatever the objects do
  bool refine_ghost = false;  // let ghost cells count as part of a block
  std::array<int, kAxes> cells{};
};

/// Marks from families and objects alone; constrain() must follow.
[[nodiscard]] Marks mark_leaves(const BlockTree& tree, const Families& families,
                                std::span<const Object> objects, const MarkingRule& rule);

/// Raises every -1 of a family to 0. Returns whether one was raised.
bool freeze(Marks& marks, const Families& families, int leaf);

}  // namespace heddle::amr
