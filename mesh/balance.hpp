// Marks, and what keeps a mesh balanced: at most one level of difference across faces.
//
// Words: a mark is what a leaf would like to do in one round of a refinement: +1 *refine*, 0 *stay*, -1 *may
// coarsen*. To *freeze* a family is to raise every -1 in it to 0. A *sweep* raises what own leaves and their
// marks ask for.
//
// Invariant: once set for a round, marks only increase, and every rule raises. So the least marks that
// satisfy all rules do not depend on the order of visits, nor on who makes them: ranks sweep and tell each
// other until nobody raises anything.
#pragma once

#include <functional>
#include <vector>

#include "mesh/part.hpp"

namespace heddle::mesh {

enum class Mark : signed char { coarsen = -1, stay = 0, refine = 1 };
using Marks = std::vector<Mark>;  // by local index

/// Tells other ranks of raised marks and takes over what they raised: for each leaf of the part the highest
/// mark that its owner or who touches it knows becomes its mark. has_raised: whether this rank's sweep raised
/// any. Returns whether any rank's did.
using ShareMarks = std::function<bool(Marks& marks, bool has_raised)>;

/// Raises every -1 of a leaf's family to 0. Returns whether one was raised.
template <int D, int R>
bool freeze(Marks& marks, const Part<D, R>& part, int local) {
  const int family = part.family_of(local);
  if (family < 0) return false;
  bool has_raised = false;
  for (const int sibling : part.families()[static_cast<std::size_t>(family)].child) {
    if (sibling >= 0 && marks[static_cast<std::size_t>(sibling)] == Mark::coarsen) {
      marks[static_cast<std::size_t>(sibling)] = Mark::stay;
      has_raised = true;
    }
  }
  return has_raised;
}

/// Raises marks to the least ones at or above them under which the mesh stays balanced. share: where there
/// are several ranks. Ensures: marks of own leaves are final, and those of their siblings.
/// Cost: a few sweeps over the own leaves of each level.
template <int D, int R>
void balance(Marks& marks, const Part<D, R>& part, const ShareMarks& share = {});

/// Own leaves marked +1 split; families marked -1 throughout merge, said by the owner of their first child.
/// Requires: the marks are balanced.
template <int D, int R>
[[nodiscard]] RefinementPlan plan_refinement(const Marks& marks, const Part<D, R>& part);

}  // namespace heddle::mesh
