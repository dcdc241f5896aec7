#include "amr/refine/round_moves.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace heddle::amr {
namespace {

struct Load {
  long long blocks = 0;
  long long splits = 0;
  bool changes = false;

  [[nodiscard]] long long peak() const { return blocks + (kChildren - 1) * splits + 1; }
};

using Loads = std::vector<Load>;

Load& of(Loads& loads, int rank) {
  return loads[static_cast<std::size_t>(rank)];
}

// Moves that bring the children of each parent that the plan restores to the first one's rank.
void join(const BlockTree& tree, const RefinementPlan& plan, Loads& loads, std::vector<BlockMove>& moves) {
  for (const int first : plan.merges) {
    const int to = tree.key(first).owner;
    of(loads, to).changes = true;
    for (int n = first + 1; n < first + kChildren; ++n) {
      const int from = tree.key(n).owner;
      if (from == to) continue;
      moves.push_back({n, to});
      --of(loads, from).blocks;
      ++of(loads, to).blocks;
    }
  }
}

// Takes what is to be split, the last along the curve first, from ranks whose peak is above the limit.
void spread(const BlockTree& tree, const RefinementPlan& plan, long long limit, Loads& loads,
            std::vector<BlockMove>& moves) {
  std::set<std::pair<long long, int>> by_peak;
  for (std::size_t r = 0; r < loads.size(); ++r) by_peak.emplace(loads[r].peak(), static_cast<int>(r));
  for (auto split = plan.splits.rbegin(); split != plan.splits.rend(); ++split) {
    const int from = tree.key(*split).owner;
    const auto [least, to] = *by_peak.begin();
    if (of(loads, from).peak() <= limit || least + kChildren >= of(loads, from).peak()) continue;
    for (const int rank : {from, to}) by_peak.erase({of(loads, rank).peak(), rank});
    --of(loads, from).blocks;
    --of(loads, from).splits;
    ++of(loads, to).blocks;
    ++of(loads, to).splits;
    for (const int rank : {from, to}) by_peak.emplace(of(loads, rank).peak(), rank);
    moves.push_back({*split, to});
  }
}

}  // namespace

std::vector<long long> parents_of_ranks(const BlockTree& tree, int ranks) {
  std::vector<long long> parents(static_cast<std::size_t>(ranks), 0);
  for (const mesh::Key& key : tree.keys()) {
    // Those that begin where the leaf does.
    for (int level = key.level - 1; level >= 0 && key.place % tree.geometry().span(level) == 0; --level)
      ++parents[static_cast<std::size_t>(key.owner)];
  }
  return parents;
}

RoundMoves plan_moves(const BlockTree& tree, const RefinementPlan& plan, int ranks, int max_blocks) {
  RoundMoves round;
  Loads loads;
  for (const int blocks : tree.leaves_per_owner(ranks)) loads.push_back({.blocks = blocks});
  for (const int leaf : plan.splits) ++of(loads, tree.key(leaf).owner).splits;
  join(tree, plan, loads, round.moves);

  const auto cautious = static_cast<long long>(0.9 * max_blocks);
  const std::vector<long long> parents = parents_of_ranks(tree, ranks);
  for (std::size_t r = 0; r < loads.size(); ++r)
    round.is_redistribution |= loads[r].peak() > cautious || parents[r] + loads[r].splits > cautious;
  if (round.is_redistribution && ranks > 1) spread(tree, plan, cautious, loads, round.moves);

  for (std::size_t r = 0; r < loads.size(); ++r) {
    const Load& load = loads[r];
    round.peaks.push_back(load.changes || load.splits > 0 ? load.peak() : load.blocks);
    const bool fits = load.splits > 0 ? load.peak() <= max_blocks : load.blocks <= max_blocks;
    if (fits || round.peaks.back() <= round.needed) continue;
    round.rank_without_room = static_cast<int>(r);
    round.needed = round.peaks.back();
  }
  return round;
}

}  // namespace heddle::amr
