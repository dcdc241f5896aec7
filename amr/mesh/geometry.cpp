#include "amr/mesh/geometry.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace heddle::amr {

bool Geometry::fits(std::array<int, kAxes> roots, int num_refine) {
  if (num_refine > 27) return false;
  const double along =
      std::ldexp(static_cast<double>(*std::max_element(roots.begin(), roots.end())), num_refine + 1);
  const double blocks = std::ldexp(static_cast<double>(roots[0]) * roots[1] * roots[2], 3 * num_refine);
  return along < std::ldexp(1.0, 30) && blocks * 8 / 7 < std::ldexp(1.0, 62);
}

Geometry::Geometry(std::array<int, kAxes> roots, int num_refine) : roots_(roots), num_refine_(num_refine) {
  assert(fits(roots, num_refine));
  BlockNumber in_level = static_cast<BlockNumber>(roots[0]) * roots[1] * roots[2];
  for (int l = 0; l < num_refine; ++l) {
    base_[l + 1] = base_[l] + in_level;
    in_level *= kChildren;
  }
}

BlockNumber Geometry::number(const BlockId& block) const {
  const auto& p = block.position;
  const int l = block.level;
  const BlockNumber row = static_cast<BlockNumber>(p[2]) * blocks_along(1, l) + p[1];
  return base_[l] + row * blocks_along(0, l) + p[0];
}

Extent Geometry::extent(const BlockId& block) const {
  Extent extent;
  for (int d = 0; d < kAxes; ++d) {
    const std::int64_t c = centre(block, d);
    const std::int64_t h = half_width(block.level);
    const auto units = static_cast<double>(mesh_units(d));
    extent.low[d] = static_cast<double>(c - h) / units;
    extent.high[d] = static_cast<double>(c + h) / units;
  }
  return extent;
}

}  // namespace heddle::amr
