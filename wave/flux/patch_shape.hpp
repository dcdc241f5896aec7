// How a patch's values lie in memory.
//
// Words: a *patch* is N^D volumes and one layer of ghosts beyond each of its faces; corners and edges of the
// ghosts are never read. A patch's values are *planes* of one unknown each. *Given* fluxes are those of a
// patch's face that somebody else has computed, because finer patches lie across it.
#pragma once

#include <array>
#include <cstddef>

#include "wave/flux/lanes.hpp"

namespace heddle::wave {

/// How the planes of a patch lie in memory: volume (i, j, k) of the patch at origin() + i + j stride(1) + ...
/// Shape: (N+2)^D doubles for each unknown, ghosts included, one unknown after the other; then kLanes that
/// are read with the last volumes and mean nothing.
template <int D>
class PatchShape {
 public:
  explicit PatchShape(int volumes) : volumes_(volumes) {
    strides_[0] = 1;
    for (int d = 1; d < D; ++d) strides_[d] = strides_[d - 1] * (volumes + 2);
    plane_ = strides_[D - 1] * (volumes + 2);
    for (int d = 0; d < D; ++d) origin_ += strides_[d];
  }

  /// Along each axis.
  [[nodiscard]] int volumes() const { return volumes_; }
  [[nodiscard]] std::ptrdiff_t stride(int axis) const { return strides_[axis]; }
  /// Of a plane, in doubles.
  [[nodiscard]] std::ptrdiff_t plane() const { return plane_; }
  /// Of a patch of so many unknowns, in doubles.
  [[nodiscard]] std::size_t size(int unknowns) const {
    return static_cast<std::size_t>(unknowns * plane_ + kLanes);
  }
  /// Of volume 0, within a plane.
  [[nodiscard]] std::ptrdiff_t origin() const { return origin_; }
  [[nodiscard]] std::ptrdiff_t at(const std::array<int, D>& volume) const {
    std::ptrdiff_t offset = origin_;
    for (int d = 0; d < D; ++d) offset += volume[d] * strides_[d];
    return offset;
  }
  /// Volumes on one of the patch's faces: N^(D-1).
  [[nodiscard]] int face_volumes() const { return D == 2 ? volumes_ : volumes_ * volumes_; }

 private:
  int volumes_;
  std::array<std::ptrdiff_t, D> strides_{};
  std::ptrdiff_t plane_ = 0;
  std::ptrdiff_t origin_ = 0;
};

/// Fluxes of the patch's faces that were computed elsewhere; null: by the kernel.
/// Shape: [unknown][transverse volume, the first transverse axis fastest].
template <int D>
using GivenFluxes = std::array<const double*, 2 * static_cast<std::size_t>(D)>;

}  // namespace heddle::wave
