// Closure: raises marks until splitting and merging keep a one-level difference across faces.
#pragma once

#include <span>

#include "amr/mesh/neighbours.hpp"
#include "amr/refine/marking.hpp"

namespace heddle::amr {

/// The least marks at or above the given ones under which the mesh stays balanced.
/// Requires: faces and families belong to this state of the tree.
/// Cost:     a few sweeps over the leaves of each level.
void constrain(Marks& marks, const BlockTree& tree, std::span<const BlockFaces> faces,
               const Families& families);

}  // namespace heddle::amr
