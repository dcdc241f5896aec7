#include "amr/refine/refinement.hpp"

#include <chrono>

namespace heddle::amr {

PlannedRound plan_round(const BlockTree& tree, const Part& part, std::span<const Object> objects,
                        const MarkingRule& rule, const mesh::ShareMarks& share) {
  using Clock = std::chrono::steady_clock;
  auto seconds = [last = Clock::now()]() mutable {
    const auto before = last;
    last = Clock::now();
    return std::chrono::duration<double>(last - before).count();
  };
  PlannedRound round;
  Marks marks = mark_leaves(part, tree.geometry(), objects, rule);
  round.compare_seconds = seconds();
  mesh::balance(marks, part, share);
  round.plan = mesh::plan_refinement(marks, part);
  round.mark_seconds = seconds();
  return round;
}

}  // namespace heddle::amr
