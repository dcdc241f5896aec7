// Where the volumes of patches lie in space.
#pragma once

#include <array>

#include "mesh/geometry.hpp"

namespace heddle::wave {

template <int D>
using Position = std::array<double, D>;

template <int D, int R>
class Lattice {
 public:
  /// volumes: of a patch, along each axis. length: of the domain along axis 0.
  Lattice(const mesh::Geometry<D, R>& geometry, int volumes, double length)
      : geometry_(geometry), volumes_(volumes), length_(length) {}

  /// Of a volume of this level.
  [[nodiscard]] double width_on(int level) const {
    return length_ / (geometry_.blocks_along(0, level) * static_cast<double>(volumes_));
  }
  /// Of a volume of this patch; across: of the ghost beyond it, across that face.
  [[nodiscard]] Position<D> centre(const mesh::BlockId<D>& id, const std::array<int, D>& volume,
                                   int across = -1) const {
    const double dx = width_on(id.level);
    Position<D> x{};
    for (int d = 0; d < D; ++d) {
      double at = static_cast<double>(id.position[d]) * volumes_ + volume[d] + 0.5;
      if (across / 2 == d && across >= 0) at += across % 2 == 0 ? -1.0 : 1.0;
      x[d] = at * dx;
    }
    return x;
  }

  struct Box {
    Position<D> low, high;
  };
  /// The patch's corners.
  [[nodiscard]] Box box(const mesh::BlockId<D>& id) const {
    Box box{centre(id, {}), centre(id, {})};
    const double dx = width_on(id.level);
    for (int d = 0; d < D; ++d) {
      box.low[d] -= 0.5 * dx;
      box.high[d] = box.low[d] + dx * volumes_;
    }
    return box;
  }

 private:
  mesh::Geometry<D, R> geometry_;
  int volumes_;
  double length_;
};

}  // namespace heddle::wave
