#include "amr/refine/load_balance.hpp"

#include <algorithm>
#include <map>

#include "mesh/hilbert.hpp"

namespace heddle::amr {
namespace {

int ranks_of(const BalanceRule& rule) {
  return rule.grid[0] * rule.grid[1] * rule.grid[2];
}

std::vector<mesh::Cut> cuts_of(const BalanceRule& rule) {
  return mesh::cuts_of<kAxes>(rule.grid, rule.is_reordered);
}

mesh::Hilbert hilbert_of(const BlockTree& tree, const BalanceRule& rule) {
  return {tree.geometry(),
          rule.method == BalanceMethod::hilbert ? mesh::HilbertRoots::whole : mesh::HilbertRoots::truncated};
}

bool is_hilbert(const BalanceRule& rule) {
  return rule.method == BalanceMethod::hilbert || rule.method == BalanceMethod::trunc_hilbert;
}

std::vector<std::int64_t> hilbert_places(const BlockTree& tree, const BalanceRule& rule) {
  const mesh::Hilbert curve = hilbert_of(tree, rule);
  std::vector<std::int64_t> places;
  for (int n = 0; n < tree.size(); ++n) places.push_back(curve.place(tree.id(n)));
  return places;
}

std::vector<int> bisect(const BlockTree& tree, const BalanceRule& rule, exchange::Communicator& ranks) {
  std::vector<int> owners = mesh::bisect(tree, cuts_of(rule), rule.bisection, ranks.rank());
  std::vector<int> mine{0};  // how many, then which
  for (int n = 0; n < tree.size(); ++n) {
    if (owners[static_cast<std::size_t>(n)] == ranks.rank()) mine.push_back(n);
  }
  mine.front() = static_cast<int>(mine.size()) - 1;
  const std::vector<int> all = ranks.gather(mine);
  auto next = all.begin();
  for (int rank = 0; rank < ranks.size(); ++rank) {
    for (int left = *next++; left > 0; --left) owners[static_cast<std::size_t>(*next++)] = rank;
  }
  return owners;
}

std::vector<int> cut_curve(const BlockTree& tree, const BalanceRule& rule) {
  return mesh::cut_curve(is_hilbert(rule) ? hilbert_places(tree, rule) : mesh::places_of(tree), cuts_of(rule),
                         rule.keeps_groups ? kChildren : 1);
}

// The last of the finest blocks move first.
void limit(std::vector<BlockMove>& moves, const BlockTree& tree, int ranks, int percent) {
  std::vector<int> left = tree.leaves_per_owner(ranks);
  for (int& blocks : left) blocks = static_cast<int>(static_cast<long long>(percent) * blocks / 100);
  std::sort(moves.begin(), moves.end(), [&](const BlockMove& a, const BlockMove& b) {
    return comes_first_in_reference(tree.leaf(b.leaf), tree.leaf(a.leaf));
  });
  std::erase_if(moves, [&](const BlockMove& move) {
    return left[static_cast<std::size_t>(tree.key(move.leaf).owner)]-- <= 0;
  });
  std::sort(moves.begin(), moves.end(),
            [](const BlockMove& a, const BlockMove& b) { return a.leaf < b.leaf; });
}

std::vector<BlockMove> moves_to(const std::vector<int>& owners, const BlockTree& tree,
                                const BalanceRule& rule, bool may_limit) {
  std::vector<BlockMove> moves;
  for (int n = 0; n < tree.size(); ++n) {
    const int to = owners[static_cast<std::size_t>(n)];
    if (to != tree.key(n).owner) moves.push_back({n, to});
  }
  if (may_limit && rule.percent_moves > 0) limit(moves, tree, ranks_of(rule), rule.percent_moves);
  return moves;
}

}  // namespace

void give_bricks(BlockTree& tree, const BalanceRule& rule) {
  if (is_hilbert(rule)) {
    const mesh::Hilbert curve = hilbert_of(tree, rule);
    const std::int64_t of_a_rank = tree.geometry().places() / ranks_of(rule);
    for (int n = 0; n < tree.size(); ++n)
      tree.set_owner(n, static_cast<int>(curve.place(tree.id(n)) / of_a_rank));
    return;
  }
  const auto positions = mesh::grid_positions<kAxes>(cuts_of(rule));
  std::map<std::array<int, kAxes>, int> rank_at;
  for (std::size_t rank = 0; rank < positions.size(); ++rank)
    rank_at[positions[rank]] = static_cast<int>(rank);
  const auto& roots = tree.geometry().roots();
  for (int n = 0; n < tree.size(); ++n) {
    std::array<int, kAxes> at = tree.id(n).position;
    for (int d = 0; d < kAxes; ++d) at[d] /= roots[d] / rule.grid[d];
    tree.set_owner(n, rank_at.at(at));
  }
}

bool is_unbalanced(const BlockTree& tree, const BalanceRule& rule) {
  const std::vector<int> blocks = tree.leaves_per_owner(ranks_of(rule));
  const auto [least, most] = std::minmax_element(blocks.begin(), blocks.end());
  const int difference = *most - *least;
  return difference > 1 && 1.0 * difference * ranks_of(rule) / tree.size() > rule.percent_imbalance / 100.0;
}

std::vector<BlockMove> balancing_moves(const BlockTree& tree, const BalanceRule& rule, bool may_limit,
                                       exchange::Communicator& ranks) {
  const bool bisects = rule.method == BalanceMethod::rcb;
  return moves_to(bisects ? bisect(tree, rule, ranks) : cut_curve(tree, rule), tree, rule, may_limit);
}

std::vector<BlockMove> balancing_moves(const BlockTree& tree, const BalanceRule& rule, bool may_limit) {
  const bool bisects = rule.method == BalanceMethod::rcb;
  return moves_to(bisects ? mesh::bisect(tree, cuts_of(rule), rule.bisection) : cut_curve(tree, rule), tree,
                  rule, may_limit);
}

std::vector<int> blocks_after(const BlockTree& tree, const std::vector<BlockMove>& moves, int ranks) {
  std::vector<int> blocks = tree.leaves_per_owner(ranks);
  for (const BlockMove& move : moves) {
    --blocks[static_cast<std::size_t>(tree.key(move.leaf).owner)];
    ++blocks[static_cast<std::size_t>(move.to)];
  }
  return blocks;
}

}  // namespace heddle::amr
