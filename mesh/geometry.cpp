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

template <int D>
std::vector<std::int32_t> rank_roots(const std::array<int, D>& roots) {
  const std::vector<std::array<int, D>> positions = root_positions<D>(roots);
  std::vector<std::int32_t> order(positions.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(),
            [&](int a, int b) { return comes_first<D>(positions[a], positions[b]); });
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
Geometry<D, R>::Geometry(std::array<int, D> roots, int deepest_level)
    : roots_(roots), deepest_level_(deepest_level), root_rank_(rank_roots<D>(roots)) {
  assert(fits(roots, deepest_level));
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
std::int64_t Geometry<D, R>::place(const BlockId<D>& block) const {
  BlockId<D> above = block;
  std::int64_t below_root = 0;
  for (int l = block.level; l > 0; --l) {
    below_root += child_index<R>(above) * inside_[deepest_level_ - l];
    above = parent<R>(above);
  }
  return root_rank_[static_cast<std::size_t>(number(above))] * inside_[deepest_level_] + below_root;
}

template <int D, int R>
BlockId<D> Geometry<D, R>::block(std::int64_t place, int level) const {
  BlockId<D> found{level, root_along_[static_cast<std::size_t>(place / span(0))]};
  for (int d = 0; d < D; ++d) found.position[d] *= static_cast<int>(along_[level]);
  std::int64_t below = place % span(0) / span(level);
  for (int scale = 1; below > 0; scale *= R) {
    auto digit = static_cast<int>(below % kChildren<D, R>);
    below /= kChildren<D, R>;
    for (int d = 0; d < D; ++d, digit /= R) found.position[d] += scale * (digit % R);
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
