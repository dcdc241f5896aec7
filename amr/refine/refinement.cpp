#include "amr/refine/refinement.hpp"

#include <chrono>

namespace heddle::amr {

PlannedRound plan_round(const BlockTree& tree, std::span<const Object> objects, const MarkingRule& rule,
                        int max_blocks) {
  using Clock = std::chrono::steady_clock;
  auto seconds = [last = Clock::now()]() mutable {
    const auto before = last;
    last = Clock::now();
    return std::chrono::duration<double>(last - before).count();
  };
  PlannedRound round;
  const Families families = mesh::find_families(tree);
  Marks marks = mark_leaves(tree, families, objects, rule);
  round.compare_seconds = seconds();
  mesh::balance(marks, tree, mesh::find_neighbours(tree), families);
  round.plan = mesh::plan_refinement(marks, families);
  round.mark_seconds = seconds();

  const auto splits = static_cast<long long>(round.plan.splits.size());
  const long long peak = tree.size() + 7 * splits + 1;
  const int cautious = static_cast<int>(0.9 * max_blocks);
  round.would_redistribute =
      peak > cautious || static_cast<long long>(tree.interior().size()) + splits > cautious;
  if (splits > 0 && peak > max_blocks) throw CapacityExceeded(peak);
  const bool changes = splits > 0 || !round.plan.merges.empty();
  round.peak_blocks = changes ? static_cast<int>(peak) : tree.size();
  return round;
}

}  // namespace heddle::amr
