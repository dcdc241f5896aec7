#include "mesh/partition.hpp"

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <numeric>

namespace heddle::mesh {
namespace {

std::vector<int> prime_factors(int number) {
  std::vector<int> factors;
  for (int p = 2; p * p <= number; ++p) {
    for (; number % p == 0; number /= p) factors.push_back(p);
  }
  if (number > 1) factors.push_back(number);
  std::reverse(factors.begin(), factors.end());
  return factors;
}

template <int D>
int axis_of_cut(const std::array<int, D>& left, int factor, bool by_length) {
  int chosen = -1;
  if (by_length) {
    for (int d = 0; d < D; ++d) {
      if ((factor == 2 || left[d] % factor == 0) && (chosen < 0 || left[d] > left[chosen])) chosen = d;
    }
  } else {
    for (int d = 0; d < D; ++d) {
      if (left[d] % factor == 0) chosen = d;
    }
  }
  assert(chosen >= 0);
  return chosen;
}

int ranks_of(const std::vector<Cut>& cuts) {
  return std::accumulate(cuts.begin(), cuts.end(), 1,
                         [](int all, const Cut& cut) { return all * cut.factor; });
}

// Leaves first..last-1 of an order go to ranks from `rank` on, by the cuts from `cut` on; with `only`, no
// further where that rank is not. arrange(first, last, cut) is called before the leaves of a group are cut.
// place_of_cut(begin, last, at) says where a cut may be that is wanted at `at`, and sees to it that leaves
// begin.. before it come before the others.
template <class Arrange, class PlaceOfCut>
class Division {
 public:
  Division(const std::vector<Cut>& cuts, Arrange& arrange, PlaceOfCut& place, int only = kEveryRank)
      : cuts_(cuts), arrange_(arrange), place_(place), only_(only) {}

  template <class Give>
  void divide(int first, int last, std::size_t cut, int rank, int ranks, Give&& give) {
    if (cut == cuts_.size()) return give(first, last, rank);
    arrange_(first, last, cuts_[cut]);
    const int factor = cuts_[cut].factor;
    const int part = (last - first + factor - 1) / factor;
    const int ranks_of_part = ranks / factor;
    std::vector<int> ends;
    for (int p = 0; p < factor; ++p) {
      const int begin = p == 0 ? first : ends.back();
      const int wanted = std::min(first + (p + 1) * part, last);
      ends.push_back(p + 1 == factor ? last : std::max(begin, place_(begin, last, wanted)));
    }
    for (int p = 0; p < factor; ++p) {
      const int first_rank = rank + p * ranks_of_part;
      if (only_ == kEveryRank || (first_rank <= only_ && only_ < first_rank + ranks_of_part))
        divide(p == 0 ? first : ends[p - 1], ends[p], cut + 1, first_rank, ranks_of_part, give);
    }
  }

 private:
  const std::vector<Cut>& cuts_;
  Arrange& arrange_;
  PlaceOfCut& place_;
  int only_;
};

}  // namespace

template <int D>
std::vector<Cut> cuts_of(std::array<int, D> grid, bool by_length) {
  int ranks = 1;
  for (const int n : grid) ranks *= n;
  std::vector<Cut> cuts;
  for (const int factor : prime_factors(ranks)) {
    const int axis = axis_of_cut<D>(grid, factor, by_length);
    grid[axis] /= factor;
    cuts.push_back({factor, axis});
  }
  return cuts;
}

template <int D>
std::vector<std::array<int, D>> grid_positions(const std::vector<Cut>& cuts) {
  std::vector<std::array<int, D>> positions(static_cast<std::size_t>(ranks_of(cuts)));
  for (std::size_t rank = 0; rank < positions.size(); ++rank) {
    std::size_t group = positions.size(), within = rank;
    for (const Cut& cut : cuts) {
      group /= static_cast<std::size_t>(cut.factor);
      int& at = positions[rank][cut.axis];
      at = at * cut.factor + static_cast<int>(within / group);
      within %= group;
    }
  }
  return positions;
}

template <int D, int R>
std::vector<int> bisect(const BlockTree<D, R>& tree, const std::vector<Cut>& cuts, const BisectionRule& rule,
                        int only) {
  const auto leaves = static_cast<std::size_t>(tree.size());
  std::vector<std::array<std::int32_t, D>> centres(leaves);
  for (std::size_t n = 0; n < leaves; ++n) {
    const BlockId<D> id = tree.id(static_cast<int>(n));
    for (int d = 0; d < D; ++d) centres[n][d] = static_cast<std::int32_t>(tree.geometry().centre(id, d));
  }
  std::vector<int> order(leaves);
  std::iota(order.begin(), order.end(), 0);

  int axis = 0, start = 0;  // of the group that is cut
  const auto comes_first = [&](int a, int b) {
    if (centres[a][axis] != centres[b][axis]) return centres[a][axis] < centres[b][axis];
    if (rule.breaks_ties_by_rank && tree.key(a).owner != tree.key(b).owner)
      return tree.key(a).owner < tree.key(b).owner;
    for (int n = 1; n < D; ++n) {
      const int d = (axis + n) % D;
      if (centres[a][d] != centres[b][d]) return centres[a][d] < centres[b][d];
    }
    return a < b;
  };
  const auto arrange = [&](int first, int last, const Cut& cut) {
    axis = cut.axis;
    if (rule.along_longest) {
      std::array<std::int32_t, D> length{};
      for (int d = 0; d < D; ++d) {
        const auto [least, most] =
            std::minmax_element(order.begin() + first, order.begin() + last,
                                [&](int a, int b) { return centres[a][d] < centres[b][d]; });
        length[d] = first == last ? 0 : centres[*most][d] - centres[*least][d];
      }
      axis = static_cast<int>(std::max_element(length.begin(), length.end()) - length.begin());
    }
    start = first;
    // Where planes stay together a cut looks at what lies around it.
    if (rule.keeps_planes) std::sort(order.begin() + first, order.begin() + last, comes_first);
  };
  const auto place_of_cut = [&](int begin, int last, int at) {
    if (!rule.keeps_planes) {
      if (begin < at && at < last)
        std::nth_element(order.begin() + begin, order.begin() + at, order.begin() + last, comes_first);
      return at;
    }
    if (at == start || at == last) return at;
    const std::int32_t plane = centres[order[at - 1]][axis];
    int low = at, high = at;
    while (low > start && centres[order[low - 1]][axis] == plane) --low;
    while (high < last && centres[order[high]][axis] == plane) ++high;
    return 2 * (high - at) > high - low ? low : high;
  };
  std::vector<int> ranks(leaves, kEveryRank);
  Division division(cuts, arrange, place_of_cut, only);
  division.divide(0, tree.size(), 0, 0, ranks_of(cuts), [&](int first, int last, int rank) {
    for (int n = first; n < last; ++n) ranks[static_cast<std::size_t>(order[n])] = rank;
  });
  return ranks;
}

std::vector<int> cut_curve(std::span<const std::int64_t> places, const std::vector<Cut>& cuts,
                           std::int64_t together) {
  const int leaves = static_cast<int>(places.size());
  std::vector<int> order(places.size());
  std::iota(order.begin(), order.end(), 0);
  const auto place = [&](int n) {
    return places[static_cast<std::size_t>(order[static_cast<std::size_t>(n)])];
  };
  if (!std::is_sorted(places.begin(), places.end()))
    std::sort(order.begin(), order.end(), [&](int a, int b) {
      return places[static_cast<std::size_t>(a)] < places[static_cast<std::size_t>(b)];
    });
  const auto arrange = [](int, int, const Cut&) {};
  const auto place_of_cut = [&](int begin, int last, int at) {
    while (at > begin && at < last && place(at) / together == place(at - 1) / together) --at;
    return at;
  };
  std::vector<int> ranks(places.size());
  Division division(cuts, arrange, place_of_cut);
  division.divide(0, leaves, 0, 0, ranks_of(cuts), [&](int first, int last, int rank) {
    for (int n = first; n < last; ++n)
      ranks[static_cast<std::size_t>(order[static_cast<std::size_t>(n)])] = rank;
  });
  return ranks;
}

template <int D, int R>
std::vector<int> cut_between_families(const BlockTree<D, R>& tree, int ranks) {
  const int leaves = tree.size();
  constexpr int kSiblings = kChildren<D, R>;
  // The first of a family of leaves, or the leaf itself.
  const auto first_of_family = [&](int leaf) {
    const Key& key = tree.key(leaf);
    if (key.level == 0) return leaf;
    const std::int64_t span = tree.geometry().span(key.level), within = key.place % (span * kSiblings);
    const int first = leaf - static_cast<int>(within / span);
    if (first < 0 || first + kSiblings > leaves) return leaf;
    for (int n = first; n < first + kSiblings; ++n) {
      const Key& sibling = tree.key(n);
      if (sibling.level != key.level || sibling.place != key.place - within + (n - first) * span) return leaf;
    }
    return first;
  };
  std::vector<int> rank_of(static_cast<std::size_t>(leaves), 0);
  for (int rank = 1, begin = 0; rank < ranks; ++rank) {
    const auto even = static_cast<int>(static_cast<std::int64_t>(leaves) * rank / ranks);
    begin = std::max(begin, even < leaves ? first_of_family(even) : leaves);
    std::fill(rank_of.begin() + begin, rank_of.end(), rank);
  }
  return rank_of;
}

template <int D, int R>
std::vector<std::int64_t> places_of(const BlockTree<D, R>& tree) {
  std::vector<std::int64_t> places;
  places.reserve(static_cast<std::size_t>(tree.size()));
  for (const Key& key : tree.keys()) places.push_back(key.place);
  return places;
}

template std::vector<Cut> cuts_of<2>(std::array<int, 2>, bool);
template std::vector<Cut> cuts_of<3>(std::array<int, 3>, bool);
template std::vector<std::array<int, 2>> grid_positions<2>(const std::vector<Cut>&);
template std::vector<std::array<int, 3>> grid_positions<3>(const std::vector<Cut>&);
template std::vector<int> bisect(const BlockTree<2, 2>&, const std::vector<Cut>&, const BisectionRule&, int);
template std::vector<int> bisect(const BlockTree<2, 3>&, const std::vector<Cut>&, const BisectionRule&, int);
template std::vector<int> bisect(const BlockTree<3, 2>&, const std::vector<Cut>&, const BisectionRule&, int);
template std::vector<int> bisect(const BlockTree<3, 3>&, const std::vector<Cut>&, const BisectionRule&, int);
template std::vector<std::int64_t> places_of(const BlockTree<2, 2>&);
template std::vector<std::int64_t> places_of(const BlockTree<2, 3>&);
template std::vector<std::int64_t> places_of(const BlockTree<3, 2>&);
template std::vector<std::int64_t> places_of(const BlockTree<3, 3>&);

template std::vector<int> cut_between_families(const BlockTree<2, 2>&, int);
template std::vector<int> cut_between_families(const BlockTree<2, 3>&, int);
template std::vector<int> cut_between_families(const BlockTree<3, 2>&, int);
template std::vector<int> cut_between_families(const BlockTree<3, 3>&, int);

}  // namespace heddle::mesh
