// What the objects ask of each leaf in one round of a refinement.
#pragma once

#include <span>

#include "amr/field/octree.hpp"
#include "amr/refine/object.hpp"

namespace heddle::amr {

struct MarkingRule {
  bool uniform = false;       // refine every leaf above the deepest level, whatever the objects do
  bool refine_ghost = false;  // let ghost cells count as part of a block
  std::array<int, kAxes> cells{};
};

/// Marks of the own leaves from families and objects alone, the others' as low as can be; mesh::balance()
/// must follow.
[[nodiscard]] Marks mark_leaves(const Part& part, const Geometry& geometry, std::span<const Object> objects,
                                const MarkingRule& rule);

}  // namespace heddle::amr
