// Marks, and what keeps a mesh balanced: at most one level of difference across faces.
//
// Words: a mark is what a leaf would like to do in one round of a refinement: +1 *refine*, 0 *stay*, -1 *may
// coarsen*. To *freeze* a family is to raise every -1 in it to 0.
//
// Invariant: once set for a round, marks only increase, so no result depends on the order of visits.
#pragma once

#include <vector>

#include "mesh/families.hpp"
#include "mesh/neighbours.hpp"

namespace heddle::mesh {

enum class Mark : signed char { coarsen = -1, stay = 0, refine = 1 };
using Marks = std::vector<Mark>;

/// Raises every -1 of a leaf's family to 0. Returns whether one was raised.
template <int D, int R>
bool freeze(Marks& marks, const Families<D, R>& families, int leaf) {
  const int family = families.of_leaf[static_cast<std::size_t>(leaf)];
  if (family < 0) return false;
  bool has_changed = false;
  for (const int sibling : families.list[static_cast<std::size_t>(family)].child) {
    if (sibling >= 0 && marks[static_cast<std::size_t>(sibling)] == Mark::coarsen) {
      marks[static_cast<std::size_t>(sibling)] = Mark::stay;
      has_changed = true;
    }
  }
  return has_changed;
}

/// Raises marks to the least ones at or above them under which the mesh stays balanced.
/// Requires: faces and families belong to this state of the tree.
/// Cost:     a few sweeps over the leaves of each level.
template <int D, int R>
void balance(Marks& marks, const BlockTree<D, R>& tree, const std::vector<BlockFaces<D, R>>& faces,
             const Families<D, R>& families);

/// Leaves marked +1 split; families marked -1 throughout merge.
/// Requires: the marks are balanced.
template <int D, int R>
[[nodiscard]] RefinementPlan<D> plan_refinement(const Marks& marks, const Families<D, R>& families);

}  // namespace heddle::mesh
