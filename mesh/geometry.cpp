#include "mesh/geometry.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>

namespace heddle::mesh {
namespace {

/// Morton's order of two positions: the axis in whose coordinates the highest bit differs decides, the last
/// of them where several do. (Chan, "Closest-point problems simplified on the RAM", 2002.)
template <int D>
bool comes_first(const std::array<int, D>& a, const std::array<int, D>& b) {
  int deciding = D - 1;
  unsigned most = 0;
  for (int d = D - 1; d >= 0; --d) {
    const auto differing = static_cast<unsigned>(a[d] ^ b[d]);
    if (most < differing && most < (most ^ differing)) {
      most = differing;
      deciding = d;
    }
  }
  return a[deciding] < b[deciding];
}

/// Whether Peano's curve goes downwards along an axis in blocks below this one. The digits of a position in
/// base 3 have the parity of the position, so that it stands for all of them.
template <int D>
bool is_mirrored(const std::array<int, D>& position, int axis) {
  int others = 0;
  for (int d = 0; d < D; ++d) others += d == axis ? 0 : position[d];
  return others % 2 != 0;
}

/// Where Peano's curve meets a root: rows there and back.
template <int D>
std::int64_t serpentine(const std::array<int, D>& roots, const std::array<int, D>& root) {
  std::array<int, D> so_far{};
  std::int64_t rank = 0;
  for (int d = D - 1; d >= 0; --d) {
    rank = rank * roots[d] + (is_mirrored<D>(so_far, d) ? roots[d] - 1 - root[d] : root[d]);
    so_far[d] = root[d];
  }
  return rank;
}

template <int D>
std::vector<std::int32_t> rank_roots(const std::array<int, D>& roots, Curve curve) {
  const std::vector<std::array<int, D>> positions = root_positions<D>(roots);
  std::vector<std::int32_t> order(positions.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](int a, int b) {
    if (curve == Curve::peano) return serpentine<D>(roots, positions[a]) < serpentine<D>(roots, positions[b]);
    return comes_first<D>(positions[a], positions[b]);
  });
  std::vector<std::int32_t> rank(order.size());
  for (std::size_t n = 0; n < order.size(); ++n) rank[order[n]] = static_cast<std::int32_t>(n);
  return rank;
}

}  // namespace

template <int D>
std::vector<std::array<int, D>> root_positions(const std::array<int, D>& roots) {
  std::vector<std::array<int, D>> positions(1);
  for (int d = 0; d < D; ++d) {
    const std::size_t below = positions.size();
    for (int at = 1; at < roots[d]; ++at) {
      for (std::size_t n = 0; n < below; ++n) {
        positions.push_back(positions[n]);
        positions.back()[d] = at;
      }
    }
  }
  return positions;
}

template <int D, int R>
bool Geometry<D, R>::fits(std::array<int, D> roots, int deepest_level) {
  if (deepest_level < 0 || deepest_level >= kMostLevels) return false;
  const double along =
      2.0 * *std::max_element(roots.begin(), roots.end()) * std::pow(static_cast<double>(R), deepest_level);
  double blocks = std::pow(static_cast<double>(kChildren<D, R>), deepest_level);
  double root_blocks = 1.0;
  for (const int n : roots) root_blocks *= n;
  blocks *= root_blocks * kChildren<D, R> / (kChildren<D, R> - 1.0);  // those of all levels
  return along < std::ldexp(1.0, 30) && blocks < std::ldexp(1.0, 62) && root_blocks < std::ldexp(1.0, 31);
}

template <int D, int R>
Geometry<D, R>::Geometry(std::array<int, D> roots, int deepest_level, Topology<D> topology)
    : roots_(roots),
      deepest_level_(deepest_level),
      topology_(topology),
      root_rank_(rank_roots<D>(roots, topology.curve)) {
  assert(fits(roots, deepest_level));
  assert(topology.curve != Curve::peano || R == 3);
  const std::vector<std::array<int, D>> positions = root_positions<D>(roots);
  root_along_.resize(positions.size());
  for (std::size_t n = 0; n < positions.size(); ++n)
    root_along_[static_cast<std::size_t>(root_rank_[n])] = positions[n];
  const auto root_blocks = static_cast<std::int64_t>(root_rank_.size());
  along_[0] = inside_[0] = 1;
  for (int l = 0; l < deepest_level; ++l) {
    along_[l + 1] = along_[l] * R;
    inside_[l + 1] = inside_[l] * kChildren<D, R>;
    base_[l + 1] = base_[l] + root_blocks * inside_[l];
  }
}

template <int D, int R>
BlockNumber Geometry<D, R>::number(const BlockId<D>& block) const {
  BlockNumber in_level = 0;
  for (int d = D - 1; d >= 0; --d) in_level = in_level * blocks_along(d, block.level) + block.position[d];
  return base_[block.level] + in_level;
}

template <int D, int R>
std::int64_t Geometry<D, R>::morton_below_root(BlockId<D> block) const {
  std::int64_t below_root = 0;
  for (; block.level > 0; block = parent<R>(block))
    below_root += child_index<R>(block) * inside_[deepest_level_ - block.level];
  return below_root;
}

template <int D, int R>
std::int64_t Geometry<D, R>::peano_below_root(const BlockId<D>& block) const {
  // Of each level the axes' digits, the last axis first, mirrored where those of the others that came before
  // add up to an odd number.
  std::array<int, D> above{};
  for (int d = 0; d < D; ++d) above[d] = static_cast<int>(block.position[d] / along_[block.level]);
  std::int64_t below_root = 0;
  for (int level = 1; level <= block.level; ++level) {
    const std::int64_t width = along_[block.level - level];
    int child = 0;
    for (int d = D - 1; d >= 0; --d) {
      const auto to = static_cast<int>(block.position[d] / width);
      child = R * child + (is_mirrored<D>(above, d) ? R - 1 - to % R : to % R);
      above[d] = to;
    }
    below_root += child * inside_[deepest_level_ - level];
  }
  return below_root;
}

template <int D, int R>
std::int64_t Geometry<D, R>::place(const BlockId<D>& block) const {
  BlockId<D> root{0, block.position};
  for (int d = 0; d < D; ++d) root.position[d] /= static_cast<int>(along_[block.level]);
  return root_rank_[static_cast<std::size_t>(number(root))] * inside_[deepest_level_] +
         (topology_.curve == Curve::peano ? peano_below_root(block) : morton_below_root(block));
}

template <int D, int R>
BlockId<D> Geometry<D, R>::block(std::int64_t place, int level) const {
  BlockId<D> found{level, root_along_[static_cast<std::size_t>(place / span(0))]};
  std::int64_t below = place % span(0);
  for (int l = 1; l <= level; ++l) {
    auto child = static_cast<int>(below / span(l));
    below %= span(l);
    std::array<int, D> digit{};
    for (int d = 0; d < D; ++d, child /= R) digit[d] = child % R;
    for (int d = D - 1; d >= 0; --d) {
      const bool is_down = topology_.curve == Curve::peano && is_mirrored<D>(found.position, d);
      found.position[d] = R * found.position[d] + (is_down ? R - 1 - digit[d] : digit[d]);
    }
  }
  return found;
}

template <int D, int R>
Extent<D> Geometry<D, R>::extent(const BlockId<D>& block) const {
  Extent<D> extent;
  for (int d = 0; d < D; ++d) {
    const std::int64_t c = centre(block, d);
    const std::int64_t h = half_width(block.level);
    const auto units = static_cast<double>(mesh_units(d));
    extent.low[d] = static_cast<double>(c - h) / units;
    extent.high[d] = static_cast<double>(c + h) / units;
  }
  return extent;
}

template std::vector<std::array<int, 2>> root_positions<2>(const std::array<int, 2>&);
template std::vector<std::array<int, 3>> root_positions<3>(const std::array<int, 3>&);
template class Geometry<2, 2>;
template class Geometry<2, 3>;
template class Geometry<3, 2>;
template class Geometry<3, 3>;

}  // namespace heddle::mesh
