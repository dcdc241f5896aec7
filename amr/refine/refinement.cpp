#include "amr/refine/refinement.hpp"

#include "amr/field/clock.hpp"

namespace heddle::amr {

PlannedRound plan_round(const BlockTree& tree, const Part& part, std::span<const Object> objects,
                        const MarkingRule& rule, const mesh::ShareMarks& share) {
  Stopwatch stopwatch;
  PlannedRound round;
  Marks marks = mark_leaves(part, tree.geometry(), objects, rule);
  round.compare_seconds = stopwatch.lap();
  mesh::balance(marks, part, share);
  round.plan = mesh::plan_refinement(marks, part);
  round.mark_seconds = stopwatch.lap();
  return round;
}

}  // namespace heddle::amr
