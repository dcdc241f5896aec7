// What lies beyond a block's faces, for a stencil that reads it there: neighbours' faces as they are, and
// planes that are made of those of other levels.
#pragma once

#include <algorithm>
#include <array>
#include <span>

#include "amr/field/contiguous.hpp"
#include "amr/field/octree.hpp"
#include "amr/halo/faces.hpp"
#include "amr/kernel/workspace.hpp"

namespace heddle::amr {

/// For stencils of one generation.
class Around {
 public:
  using Planes = std::array<const double*, kFaces>;

  /// Requires: the field has faces.
  Around(ContiguousField& field, const TransferPlan& plan, int generation)
      : field_(field), plan_(plan), generation_(generation) {}

  /// The planes around a variable of a leaf, without gaps, by number of the face. They stay until the calling
  /// thread's next call. Requires: nobody writes neighbours' faces of this generation meanwhile, and what
  /// other ranks send has been unpacked.
  [[nodiscard]] Planes planes(int leaf, int v) {
    Planes planes{};
    for (int face = 0; face < kFaces; ++face)
      planes[static_cast<std::size_t>(face)] = plane(plan_.into_face(leaf, face), v);
    return planes;
  }

 private:
  // Beyond the face that all these transfers are into.
  const double* plane(std::span<const Transfer> into_face, int v) {
    const Transfer& first = into_face.front();
    const int axis = first.face / 2;
    const int side = first.face % 2;
    const int across = first.face ^ 1;  // of the neighbour's faces
    switch (first.op) {
      case TransferOperator::boundary:
        return field_.face(first.destination, v, first.face, generation_);
      case TransferOperator::same_level:
        if (!first.is_remote()) return field_.face(first.source, v, across, generation_);
        break;
      case TransferOperator::from_coarse: {
        if (first.is_remote()) break;
        const DensePlane made = scratch(axis, side);
        spread_quarter(made, neighbours(first, v), first.subface, n1(axis), n2(axis), 0);
        return made.first;
      }
      case TransferOperator::from_fine: {
        const DensePlane made = exchange::any_is_remote(into_face)
                                    ? field_.ghost_plane(first.destination, v, axis, side, nullptr)
                                    : scratch(axis, side);
        for (const Transfer& part : into_face) {
          if (!part.is_remote())
            gather_quarter(made, neighbours(part, v), part.subface, n1(axis), n2(axis), 0);
        }
        return made.first;
      }
    }
    return field_.ghost_plane(first.destination, v, axis, side, nullptr).first;
  }

  [[nodiscard]] int n1(int axis) const { return field_.shape().cells[kTransverse[axis][0]]; }
  [[nodiscard]] int n2(int axis) const { return field_.shape().cells[kTransverse[axis][1]]; }

  [[nodiscard]] DensePlane neighbours(const Transfer& transfer, int v) {
    const int axis = transfer.face / 2;
    return field_.inner_plane(transfer.source, v, axis, 1 - transfer.face % 2, nullptr, generation_);
  }

  // A plane of the calling thread's for each face.
  [[nodiscard]] DensePlane scratch(int axis, int side) {
    thread_local Workspace mine;
    const auto [nx, ny, nz] = field_.shape().cells;
    const auto plane = static_cast<std::size_t>(std::max({nx * ny, ny * nz, nx * nz}));
    return {mine.at_least(kFaces * plane) + plane * static_cast<std::size_t>(2 * axis + side), n2(axis)};
  }

  ContiguousField& field_;
  const TransferPlan& plan_;
  int generation_;
};

}  // namespace heddle::amr
