// Filling ghosts: one block, one direction, a range of variables.
//
// Ranges follow the reference: code 0 with the 7-point stencil fills transverse indices 1..n; code 0 with
// other stencils adds what a uniform mesh needs; codes 1 and 2 fill whole planes.
#pragma once

#include "amr/halo/faces.hpp"
#include "amr/halo/plan.hpp"
#include "amr/halo/rim.hpp"

namespace heddle::amr {

/// Room for planes that a layout has to gather. One per thread.
struct HaloScratch {
  double* from = nullptr;
  double* to = nullptr;
};

/// The rim that a face of this kind gets under code 0.
[[nodiscard]] constexpr RimExtent rim_of_code_0(FaceKind kind, int axis) {
  if (kind == FaceKind::boundary) return {true, true};
  if (kind == FaceKind::same) return {axis > 0, axis == 2};
  return {};
}

template <class Field>
void fill_face_rim(Field& field, const BlockHalo& halo, int axis, int side, int v, const HaloRule& rule) {
  const auto& cells = field.shape().cells;
  const int n1 = cells[kTransverse[axis][0]];
  const int n2 = cells[kTransverse[axis][1]];
  const int inner = side == 0 ? 1 : cells[axis];
  const int outer = side == 0 ? 0 : cells[axis] + 1;
  const int across = side == 0 ? cells[axis] : 1;  // the neighbour's plane that touches this face
  const Face& face = halo.faces[2 * axis + side];
  const auto& slots = halo.face_slots[2 * axis + side];
  const bool whole = rule.code != 0;
  const RimExtent extent = whole ? RimExtent{true, true} : rim_of_code_0(face.kind, axis);
  using Cells = PlaneCells<Field>;
  const Cells ghost{field, halo.slot, v, axis, outer};
  switch (face.kind) {
    case FaceKind::boundary:
      copy_rim(ghost, Cells{field, halo.slot, v, axis, inner}, extent, n1, n2);
      break;
    case FaceKind::same:
      copy_rim(ghost, Cells{field, slots[0], v, axis, across}, extent, n1, n2);
      break;
    case FaceKind::coarser:
      if (whole) spread_rim(ghost, Cells{field, slots[0], v, axis, across}, face.quarter, n1, n2);
      break;
    case FaceKind::finer:
      for (int q = 0; q < 4 && whole; ++q)
        gather_rim(ghost, Cells{field, slots[q], v, axis, across}, q, n1, n2);
      break;
  }
}

template <class Field>
void fill_face(Field& field, const BlockHalo& halo, int axis, int side, int v, const HaloScratch& scratch,
               std::ptrdiff_t ahead) {
  const auto& cells = field.shape().cells;
  const int n1 = cells[kTransverse[axis][0]];
  const int n2 = cells[kTransverse[axis][1]];
  const Face& face = halo.faces[2 * axis + side];
  const auto& slots = halo.face_slots[2 * axis + side];
  const auto ghost = field.ghost_plane(halo.slot, v, axis, side, scratch.to);
  switch (face.kind) {
    case FaceKind::boundary:
      copy_plane(ghost, field.inner_plane(halo.slot, v, axis, side, scratch.from), n1, n2, ahead);
      break;
    case FaceKind::same:
      copy_plane(ghost, field.inner_plane(slots[0], v, axis, 1 - side, scratch.from), n1, n2, ahead);
      break;
    case FaceKind::coarser:
      spread_quarter(ghost, field.inner_plane(slots[0], v, axis, 1 - side, scratch.from), face.quarter, n1,
                     n2, ahead);
      break;
    case FaceKind::finer:
      for (int q = 0; q < 4; ++q) {
        gather_quarter(ghost, field.inner_plane(slots[q], v, axis, 1 - side, scratch.from), q, n1, n2, ahead);
      }
      break;
  }
  field.finish_ghost_plane(halo.slot, v, axis, side, ghost);
}

/// Fills the ghosts of one block along one axis for the variables first..last-1.
/// Requires: nobody writes the neighbours' interiors, nor (unless axes are independent) ghosts along other
/// axes, meanwhile. Threads:  distinct blocks may be filled at the same time, each caller with its own
/// scratch.
template <class Field>
void fill_ghosts(Field& field, const BlockHalo& halo, int axis, int first, int last, const HaloRule& rule,
                 const HaloScratch& scratch, bool goes_on = false) {
  for (int v = first; v < last; ++v) {
    const std::ptrdiff_t ahead = goes_on || v + 1 < last ? field.next_variable() : 0;
    for (int side = 0; side < 2; ++side) {
      fill_face(field, halo, axis, side, v, scratch, ahead);
      if (!rule.axes_are_independent()) fill_face_rim(field, halo, axis, side, v, rule);
    }
  }
}

}  // namespace heddle::amr
