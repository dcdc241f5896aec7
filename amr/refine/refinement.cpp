#include "amr/refine/refinement.hpp"

#include <chrono>

namespace heddle::amr {

PlannedRound plan_round(const BlockTree& tree, const Part& part, std::span<const Object> objects,
                        const MarkingRule& rule, int max_blocks, const mesh::ShareMarks& share) {
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

  const auto splits = static_cast<long long>(round.plan.splits.size());
  const long long peak = part.own() + 7 * splits + 1;
  const int cautious = static_cast<int>(0.9 * max_blocks);
  round.would_redistribute = peak > cautious || tree.parents() + splits > cautious;
  round.exceeds_capacity = splits > 0 && peak > max_blocks;
  const bool changes = splits > 0 || !round.plan.merges.empty();
  round.peak_blocks = changes ? static_cast<int>(peak) : part.own();
  return round;
}

}  // namespace heddle::amr
