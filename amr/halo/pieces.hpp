// Pieces of messages: what another rank needs of a face, in the order in which both sides write and read it.
//
// Shape: doubles, variable after variable. A piece of a variable is its interior part, then its rim, both as
// the rule wants them:
//   same_level   the inner plane, n1 x n2; then the rim's cells in the order of for_rim()
//   from_coarse  a quarter of the coarse plane, n1/2 x n2/2; with whole planes with one cell more on each
//   side from_fine    sums of four fine cells, n1/2 x n2/2; with whole planes then the two edges and the
//   corner
// n1 and n2 are the cells along the transverse axes. The receiver writes what the transfer within a rank
// would write, bit for bit.
//
// Source: the lengths are those of the reference (--code 0, 1 and 2; those of 2 are 1's here).
#pragma once

#include <cstddef>

#include "amr/halo/exchange.hpp"
#include "exchange/message_plan.hpp"
#include "program/range.hpp"

namespace heddle::amr {

using exchange::Piece;

/// The face that a piece belongs to: its plane's shape, and where it is read and written.
struct PieceFace {
  int axis, side, n1, n2;
  int inner, outer;  // planes along the axis
  int a0, b0;        // before the quarter of a coarse plane, along the transverse axes
  int e1, e2;        // its outer indices

  PieceFace(const Piece& piece, const std::array<int, kAxes>& cells)
      : axis(piece.face / 2),
        side(piece.face % 2),
        n1(cells[kTransverse[axis][0]]),
        n2(cells[kTransverse[axis][1]]),
        inner(side == 0 ? 1 : cells[axis]),
        outer(side == 0 ? 0 : cells[axis] + 1),
        a0((piece.subface & 1) * n1 / 2),
        b0((piece.subface >> 1) * n2 / 2),
        e1((piece.subface & 1) != 0 ? n1 + 1 : 0),
        e2((piece.subface >> 1) != 0 ? n2 + 1 : 0) {}
};

/// The part of a message that stands for a plane, rows of n2 cells; `more` of them stand around it, too.
template <class Double>
struct MessagePlane {
  Double* first;  // cell (1, 1)
  std::ptrdiff_t stride;

  MessagePlane(Double* data, int n2, int more)
      : first(data + more * (n2 + 2 * more) + more), stride(n2 + 2 * more) {}

  [[nodiscard]] Double* row(int a) const { return first + (a - 1) * stride; }
  [[nodiscard]] Double& operator()(int a, int b) const { return row(a)[b - 1]; }
};

/// A quarter of a plane.
template <class Plane>
struct QuarterOf {
  Plane plane;
  int a0, b0;

  [[nodiscard]] double* row(int a) const { return plane.row(a + a0) + b0; }
};

/// The rim that a piece of the same level has.
[[nodiscard]] inline RimExtent rim_of_piece(const Piece& piece, int axis, const HaloRule& rule) {
  if (rule.axes_are_independent()) return {};
  return rule.code != 0 ? RimExtent{true, true} : rim_of_code_0(piece.op, axis);
}

/// Doubles of a piece, for one variable.
[[nodiscard]] inline std::size_t piece_length(const Piece& piece, const std::array<int, kAxes>& cells,
                                              const HaloRule& rule) {
  const PieceFace face(piece, cells);
  const bool whole = rule.code != 0;
  std::size_t length = 0;
  switch (piece.op) {
    case TransferOperator::boundary:
      break;
    case TransferOperator::same_level:
      length = static_cast<std::size_t>(face.n1) * face.n2;
      for_rim(rim_of_piece(piece, face.axis, rule), face.n1, face.n2, [&](int, int) { ++length; });
      break;
    case TransferOperator::from_coarse: {
      const int more = whole ? 2 : 0;
      length = static_cast<std::size_t>(face.n1 / 2 + more) * (face.n2 / 2 + more);
      break;
    }
    case TransferOperator::from_fine: {
      const int more = whole ? 1 : 0;
      length = static_cast<std::size_t>(face.n1 / 2 + more) * (face.n2 / 2 + more);
      break;
    }
  }
  return length;
}

/// Writes one variable of a piece that is sent; from faces of that generation, where there are such.
template <class Field>
void pack_piece(Field& field, const Piece& piece, int v, const HaloRule& rule, int generation, double* to) {
  const auto [axis, side, n1, n2, inner, outer, a0, b0, e1, e2] = PieceFace(piece, field.shape().cells);
  const bool whole = rule.code != 0;
  const auto plane =
      field.inner_plane(piece.slot, v, axis, side, halo_scratch(field.shape()).from, generation);
  const PlaneCells<Field> cell{field, piece.slot, v, axis, inner};
  switch (piece.op) {
    case TransferOperator::boundary:
      break;
    case TransferOperator::same_level: {
      copy_plane(MessagePlane(to, n2, 0), plane, n1, n2, 0);
      to += static_cast<std::ptrdiff_t>(n1) * n2;
      for_rim(rim_of_piece(piece, axis, rule), n1, n2, [&](int a, int b) { *to++ = cell(a, b); });
      break;
    }
    case TransferOperator::from_coarse: {
      const MessagePlane quarter(to, n2 / 2, whole ? 1 : 0);
      copy_plane(quarter, QuarterOf{plane, a0, b0}, n1 / 2, n2 / 2, 0);
      if (whole)
        for_rim({true, true}, n1 / 2, n2 / 2, [&](int a, int b) { quarter(a, b) = cell(a + a0, b + b0); });
      break;
    }
    case TransferOperator::from_fine: {
      gather_quarter(MessagePlane(to, n2 / 2, 0), plane, 0, n1, n2, 0);
      if (!whole) break;
      to += static_cast<std::ptrdiff_t>(n1 / 2) * (n2 / 2);
      for (int b = 2; b <= n2; b += 2) *to++ = cell(e1, b - 1) + cell(e1, b);
      for (int a = 2; a <= n1; a += 2) *to++ = cell(a - 1, e2) + cell(a, e2);
      *to++ = cell(e1, e2);
      break;
    }
  }
}

/// Reads one variable of a piece that was received into the ghosts of its block.
/// Threads: distinct pieces may be read at the same time.
template <class Field>
void unpack_piece(Field& field, const Piece& piece, int v, const HaloRule& rule, const double* from) {
  const auto [axis, side, n1, n2, inner, outer, a0, b0, e1, e2] = PieceFace(piece, field.shape().cells);
  const bool whole = rule.code != 0;
  const PlaneCells<Field> ghost{field, piece.slot, v, axis, outer};
  if (piece.op == TransferOperator::from_fine) {
    if (field.has_faces()) {
      copy_plane(QuarterOf{field.ghost_plane(piece.slot, v, axis, side, nullptr), a0, b0},
                 MessagePlane(from, n2 / 2, 0), n1 / 2, n2 / 2, 0);
      return;
    }
    // Cell by cell: other threads may write the other quarters of this plane.
    for (int a = 1; a <= n1 / 2; ++a) {
      for (int b = 1; b <= n2 / 2; ++b) ghost(a + a0, b + b0) = *from++;
    }
    if (!whole) return;
    for (int b = 1; b <= n2 / 2; ++b) ghost(e1, b + b0) = *from++;
    for (int a = 1; a <= n1 / 2; ++a) ghost(a + a0, e2) = *from++;
    ghost(e1, e2) = *from++;
    return;
  }
  const auto plane = field.ghost_plane(piece.slot, v, axis, side, halo_scratch(field.shape()).to);
  if (piece.op == TransferOperator::same_level) {
    copy_plane(plane, MessagePlane(from, n2, 0), n1, n2, 0);
    from += static_cast<std::ptrdiff_t>(n1) * n2;
    for_rim(rim_of_piece(piece, axis, rule), n1, n2, [&](int a, int b) { ghost(a, b) = *from++; });
  } else {
    const MessagePlane quarter(from, n2 / 2, whole ? 1 : 0);
    spread_quarter(plane, quarter, 0, n1, n2, 0);
    if (whole) spread_rim(ghost, quarter, 0, n1, n2);
  }
  field.finish_ghost_plane(piece.slot, v, axis, side, plane);
}

/// The same of the variables first..last-1, one after the other; length: of the piece, for one variable.
template <class Field>
void pack_variables(Field& field, const Piece& piece, int first, int last, const HaloRule& rule,
                    int generation, std::size_t length, double* to) {
  const program::Range range("pack");
  for (int v = first; v < last; ++v, to += length) pack_piece(field, piece, v, rule, generation, to);
}
template <class Field>
void unpack_variables(Field& field, const Piece& piece, int first, int last, const HaloRule& rule,
                      std::size_t length, const double* from) {
  const program::Range range("unpack");
  for (int v = first; v < last; ++v, from += length) unpack_piece(field, piece, v, rule, from);
}

}  // namespace heddle::amr
