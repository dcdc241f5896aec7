// Pieces of messages: what another rank needs of a face, in the order in which both sides write and read it.
//
// Shape: doubles, variable after variable. A piece of a variable is its interior part, then its rim, both as
// the rule wants them:
//   same_level   the inner plane, n1 x n2; then the rim's cells in the order of for_rim()
//   from_coarse  a quarter of the coarse plane over 4, n1/2 x n2/2; with whole planes with one more on each
//   side from_fine    sums of four fine cells, n1/2 x n2/2; with whole planes then the two edges and the
//   corner
// n1 and n2 are the cells along the transverse axes. Values are those that the transfer within a rank would
// write, bit for bit.
//
// Source: the lengths are those of the reference (--code 0, 1 and 2; those of 2 are 1's here).
#pragma once

#include <cstddef>

#include "amr/halo/exchange.hpp"
#include "exchange/message_plan.hpp"

namespace heddle::amr {

using exchange::Piece;

/// The face that a piece belongs to: its plane's shape, and where along the axis it is read and written.
struct PieceFace {
  int axis, n1, n2, inner, outer;

  PieceFace(const Piece& piece, const std::array<int, kAxes>& cells)
      : axis(piece.face / 2),
        n1(cells[kTransverse[axis][0]]),
        n2(cells[kTransverse[axis][1]]),
        inner(piece.face % 2 == 0 ? 1 : cells[axis]),
        outer(piece.face % 2 == 0 ? 0 : cells[axis] + 1) {}
};

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
      if (!rule.axes_are_independent())
        for_rim(whole ? RimExtent{true, true} : rim_of_code_0(piece.op, face.axis), face.n1, face.n2,
                [&](int, int) { ++length; });
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

/// Writes one variable of a piece that is sent. Returns the end of what was written.
template <class Field>
double* pack_piece(Field& field, const Piece& piece, int v, const HaloRule& rule, double* to) {
  const PieceFace face(piece, field.shape().cells);
  const auto [axis, n1, n2, inner, outer] = face;
  const bool whole = rule.code != 0;
  const PlaneCells<Field> cell{field, piece.slot, v, axis, inner};
  const int a0 = (piece.subface & 1) * n1 / 2;
  const int b0 = (piece.subface >> 1) * n2 / 2;
  switch (piece.op) {
    case TransferOperator::boundary:
      break;
    case TransferOperator::same_level:
      for (int a = 1; a <= n1; ++a) {
        for (int b = 1; b <= n2; ++b) *to++ = cell(a, b);
      }
      if (!rule.axes_are_independent())
        for_rim(whole ? RimExtent{true, true} : rim_of_code_0(piece.op, axis), n1, n2,
                [&](int a, int b) { *to++ = cell(a, b); });
      break;
    case TransferOperator::from_coarse: {
      const int more = whole ? 1 : 0;
      for (int a = 1 - more; a <= n1 / 2 + more; ++a) {
        for (int b = 1 - more; b <= n2 / 2 + more; ++b) *to++ = cell(a + a0, b + b0) / 4.0;
      }
      break;
    }
    case TransferOperator::from_fine:
      for (int a = 2; a <= n1; a += 2) {
        for (int b = 2; b <= n2; b += 2)
          *to++ = cell(a - 1, b - 1) + cell(a - 1, b) + cell(a, b - 1) + cell(a, b);
      }
      if (whole) {
        const int e1 = (piece.subface & 1) != 0 ? n1 + 1 : 0;
        const int e2 = (piece.subface >> 1) != 0 ? n2 + 1 : 0;
        for (int b = 2; b <= n2; b += 2) *to++ = cell(e1, b - 1) + cell(e1, b);
        for (int a = 2; a <= n1; a += 2) *to++ = cell(a - 1, e2) + cell(a, e2);
        *to++ = cell(e1, e2);
      }
      break;
  }
  return to;
}

/// Reads one variable of a piece that was received into the ghosts of its block. Returns the end of what was
/// read.
template <class Field>
const double* unpack_piece(Field& field, const Piece& piece, int v, const HaloRule& rule,
                           const double* from) {
  const PieceFace face(piece, field.shape().cells);
  const auto [axis, n1, n2, inner, outer] = face;
  const bool whole = rule.code != 0;
  const PlaneCells<Field> ghost{field, piece.slot, v, axis, outer};
  const int a0 = (piece.subface & 1) * n1 / 2;
  const int b0 = (piece.subface >> 1) * n2 / 2;
  switch (piece.op) {
    case TransferOperator::boundary:
      break;
    case TransferOperator::same_level:
      for (int a = 1; a <= n1; ++a) {
        for (int b = 1; b <= n2; ++b) ghost(a, b) = *from++;
      }
      if (!rule.axes_are_independent())
        for_rim(whole ? RimExtent{true, true} : rim_of_code_0(piece.op, axis), n1, n2,
                [&](int a, int b) { ghost(a, b) = *from++; });
      break;
    case TransferOperator::from_coarse: {
      const int more = whole ? 1 : 0;
      const int pitch = n2 / 2 + 2 * more;
      for (int a = 1 - more; a <= n1 + more; ++a) {
        for (int b = 1 - more; b <= n2 + more; ++b)
          ghost(a, b) = from[((a + 1) / 2 - 1 + more) * pitch + (b + 1) / 2 - 1 + more];
      }
      from += static_cast<std::ptrdiff_t>(n1 / 2 + 2 * more) * pitch;
      break;
    }
    case TransferOperator::from_fine:
      for (int a = 1; a <= n1 / 2; ++a) {
        for (int b = 1; b <= n2 / 2; ++b) ghost(a + a0, b + b0) = *from++;
      }
      if (whole) {
        const int e1 = (piece.subface & 1) != 0 ? n1 + 1 : 0;
        const int e2 = (piece.subface >> 1) != 0 ? n2 + 1 : 0;
        for (int b = 1; b <= n2 / 2; ++b) ghost(e1, b + b0) = *from++;
        for (int a = 1; a <= n1 / 2; ++a) ghost(a + a0, e2) = *from++;
        ghost(e1, e2) = *from++;
      }
      break;
  }
  return from;
}

}  // namespace heddle::amr
