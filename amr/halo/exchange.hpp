// Filling ghosts, where a field has them: one block, one direction, a range of variables.
//
// Ranges follow the reference: code 0 with the 7-point stencil fills transverse indices 1..n; code 0 with
// other stencils adds what a uniform mesh needs; codes 1 and 2 fill whole planes.
#pragma once

#include <span>

#include "amr/halo/faces.hpp"
#include "amr/halo/rim.hpp"
#include "amr/halo/rule.hpp"
#include "amr/halo/scratch.hpp"

namespace heddle::amr {

/// The rim that a face gets under code 0.
[[nodiscard]] constexpr RimExtent rim_of_code_0(TransferOperator op, int axis) {
  if (op == TransferOperator::boundary) return {true, true};
  if (op == TransferOperator::same_level) return {axis > 0, axis == 2};
  return {};
}

template <class Field>
void fill_rim(Field& field, const Transfer& transfer, int v, const HaloRule& rule) {
  const int axis = transfer.face / 2;
  const int side = transfer.face % 2;
  const auto& cells = field.shape().cells;
  const int n1 = cells[kTransverse[axis][0]];
  const int n2 = cells[kTransverse[axis][1]];
  const int inner = side == 0 ? 1 : cells[axis];
  const int outer = side == 0 ? 0 : cells[axis] + 1;
  const int across = side == 0 ? cells[axis] : 1;  // the neighbour's plane that touches this face
  const bool whole = rule.code != 0;
  const RimExtent extent = whole ? RimExtent{true, true} : rim_of_code_0(transfer.op, axis);
  using Cells = PlaneCells<Field>;
  const Cells ghost{field, transfer.destination, v, axis, outer};
  const Cells source{field, transfer.source, v, axis,
                     transfer.op == TransferOperator::boundary ? inner : across};
  switch (transfer.op) {
    case TransferOperator::boundary:
    case TransferOperator::same_level:
      copy_rim(ghost, source, extent, n1, n2);
      break;
    case TransferOperator::from_coarse:
      if (whole) spread_rim(ghost, source, transfer.subface, n1, n2);
      break;
    case TransferOperator::from_fine:
      if (whole) gather_rim(ghost, source, transfer.subface, n1, n2);
      break;
  }
}

/// Where there are ghosts, planes have one generation.
inline constexpr int kOnly = 0;

/// Fills the ghost plane of one face, transverse indices 1..n, but for what other ranks have.
/// Requires: all transfers are into that face.
template <class Field>
void fill_face(Field& field, std::span<const Transfer> into_face, int v, const HaloScratch& scratch,
               std::ptrdiff_t ahead) {
  const auto [source, destination, op, face, subface] = into_face.front();
  const int axis = face / 2;
  const int side = face % 2;
  const auto& cells = field.shape().cells;
  const int n1 = cells[kTransverse[axis][0]];
  const int n2 = cells[kTransverse[axis][1]];
  if (op != TransferOperator::from_fine && into_face.front().is_remote()) return;
  const auto ghost = field.ghost_plane(destination, v, axis, side, scratch.to);
  switch (op) {
    case TransferOperator::boundary:
      copy_plane(ghost, field.inner_plane(destination, v, axis, side, scratch.from, kOnly), n1, n2, ahead);
      break;
    case TransferOperator::same_level:
      copy_plane(ghost, field.inner_plane(source, v, axis, 1 - side, scratch.from, kOnly), n1, n2, ahead);
      break;
    case TransferOperator::from_coarse:
      spread_quarter(ghost, field.inner_plane(source, v, axis, 1 - side, scratch.from, kOnly), subface, n1,
                     n2, ahead);
      break;
    case TransferOperator::from_fine:
      for (const Transfer& part : into_face) {
        if (part.is_remote()) continue;
        gather_quarter(ghost, field.inner_plane(part.source, v, axis, 1 - side, scratch.from, kOnly),
                       part.subface, n1, n2, ahead);
      }
      break;
  }
  field.finish_ghost_plane(destination, v, axis, side, ghost);
}

/// Fills the ghosts of one block along one axis for the variables first..last-1.
/// Requires: nobody writes the neighbours' interiors, nor (unless axes are independent) ghosts along other
/// axes, meanwhile. Threads:  distinct blocks may be filled at the same time, each caller with its own
/// scratch.
template <class Field>
void fill_ghosts(Field& field, const TransferPlan& plan, int leaf, int axis, int first, int last,
                 const HaloRule& rule, const HaloScratch& scratch, bool goes_on = false) {
  for (int v = first; v < last; ++v) {
    const std::ptrdiff_t ahead = goes_on || v + 1 < last ? field.next_variable() : 0;
    for (int face = 2 * axis; face < 2 * axis + 2; ++face) {
      const std::span<const Transfer> into_face = plan.into_face(leaf, face);
      fill_face(field, into_face, v, scratch, ahead);
      if (rule.axes_are_independent()) continue;
      for (const Transfer& transfer : into_face) {
        if (!transfer.is_remote()) fill_rim(field, transfer, v, rule);
      }
    }
  }
}

}  // namespace heddle::amr
