// The rim of a ghost plane: its cells with a transverse index 0 or n+1, which codes 1 and 2 and stencils with
// edges fill besides the interior part.
//
// Words: a cell of a plane is (a, b), a along the first transverse axis. E1 and E2 are the outer indices of a
// quarter: 0 or n+1.
//
// Invariant: a rim operator for axis d writes only ghosts whose index along d is 0 or n+1 and reads only
// cells whose index along d is 1 or n. So within one direction no order of blocks matters.
#pragma once

#include <array>

#include "amr/field/octree.hpp"

namespace heddle::amr {

/// Which outer indices a plane's rim has: corners only where both are there.
struct RimExtent {
  bool first = false;   // a = 0 and a = n1+1
  bool second = false;  // b = 0 and b = n2+1
};

/// Access to one plane of a block by (a, b).
template <class Field>
struct PlaneCells {
  Field& field;
  int slot;
  int v;
  int axis;
  int at;  // index along the axis

  [[nodiscard]] double& operator()(int a, int b) const {
    if (axis == 0) return field.at(slot, v, at, a, b);
    if (axis == 1) return field.at(slot, v, a, at, b);
    return field.at(slot, v, a, b, at);
  }
};

/// Calls visit(a, b) for every rim cell of an n1 x n2 plane.
template <class Visit>
void for_rim(const RimExtent& extent, int n1, int n2, Visit&& visit) {
  for (const int a : {0, n1 + 1}) {
    if (!extent.first) break;
    for (int b = 1; b <= n2; ++b) visit(a, b);
  }
  for (const int b : {0, n2 + 1}) {
    if (!extent.second) break;
    for (int a = 1; a <= n1; ++a) visit(a, b);
    if (!extent.first) continue;
    visit(0, b);
    visit(n1 + 1, b);
  }
}

template <class Cells>
void copy_rim(const Cells& ghost, const Cells& inner, const RimExtent& extent, int n1, int n2) {
  for_rim(extent, n1, n2, [&](int a, int b) { ghost(a, b) = inner(a, b); });
}

template <class Fine, class Coarse>
void spread_rim(const Fine& fine, const Coarse& coarse, int quarter, int n1, int n2) {
  const int a0 = (quarter & 1) * n1 / 2;
  const int b0 = (quarter >> 1) * n2 / 2;
  for_rim({true, true}, n1, n2,
          [&](int a, int b) { fine(a, b) = coarse((a + 1) / 2 + a0, (b + 1) / 2 + b0) / 4.0; });
}

template <class Cells>
void gather_rim(const Cells& coarse, const Cells& fine, int quarter, int n1, int n2) {
  const int a0 = (quarter & 1) * n1 / 2;
  const int b0 = (quarter >> 1) * n2 / 2;
  const int e1 = (quarter & 1) != 0 ? n1 + 1 : 0;
  const int e2 = (quarter >> 1) != 0 ? n2 + 1 : 0;
  for (int b = 1; b <= n2 / 2; ++b) coarse(e1, b + b0) = fine(e1, 2 * b - 1) + fine(e1, 2 * b);
  for (int a = 1; a <= n1 / 2; ++a) coarse(a + a0, e2) = fine(2 * a - 1, e2) + fine(2 * a, e2);
  coarse(e1, e2) = fine(e1, e2);
}

}  // namespace heddle::amr
