// Split and merge operators: how cell values move between a parent and its eight children.
//
// Values are amounts per cell: a coarse cell holds the sum of the eight fine cells that replace it. Splitting
// divides by 8, merging adds. Ghosts are not touched; faces are those of a generation.
#pragma once

#include <array>

#include "amr/field/octree.hpp"
#include "program/range.hpp"

namespace heddle::amr {

/// Writes the interior of one child, the o-th, from its parent's.
template <class Field>
void split_block(Field& field, int parent, int child, int o, int generation) {
  const program::Range range("split");
  const auto& s = field.shape();
  const int i0 = (o & 1) * s.nx() / 2;
  const int j0 = ((o >> 1) & 1) * s.ny() / 2;
  const int k0 = (o >> 2) * s.nz() / 2;
  for (int v = 0; v < s.num_vars; ++v) {
    for (int i = 1; i <= s.nx(); ++i) {
      for (int j = 1; j <= s.ny(); ++j) {
        const double* __restrict from = field.row(parent, v, (i + 1) / 2 + i0, (j + 1) / 2 + j0) + k0;
        double* __restrict to = field.row(child, v, i, j);
        for (int k = 0; k < s.nz() / 2; ++k) to[2 * k] = to[2 * k + 1] = from[k] / 8.0;
      }
    }
    field.refresh_faces(child, v, generation);
  }
}

/// Writes the interior of a parent from its eight children's: eight terms left to right, x fastest.
template <class Field>
void merge_blocks(Field& field, const std::array<int, kChildren>& children, int parent, int generation) {
  const program::Range range("merge");
  const auto& s = field.shape();
  for (int v = 0; v < s.num_vars; ++v) {
    for (int o = 0; o < kChildren; ++o) {
      const int i0 = (o & 1) * s.nx() / 2;
      const int j0 = ((o >> 1) & 1) * s.ny() / 2;
      const int k0 = (o >> 2) * s.nz() / 2;
      for (int i = 1; i <= s.nx() / 2; ++i) {
        for (int j = 1; j <= s.ny() / 2; ++j) {
          const double* __restrict r00 = field.row(children[o], v, 2 * i - 1, 2 * j - 1);
          const double* __restrict r10 = field.row(children[o], v, 2 * i, 2 * j - 1);
          const double* __restrict r01 = field.row(children[o], v, 2 * i - 1, 2 * j);
          const double* __restrict r11 = field.row(children[o], v, 2 * i, 2 * j);
          double* __restrict to = field.row(parent, v, i + i0, j + j0) + k0;
          for (int k = 0; k < s.nz() / 2; ++k) {
            to[k] = r00[2 * k] + r10[2 * k] + r01[2 * k] + r11[2 * k] + r00[2 * k + 1] + r10[2 * k + 1] +
                    r01[2 * k + 1] + r11[2 * k + 1];
          }
        }
      }
    }
    field.refresh_faces(parent, v, generation);
  }
}

}  // namespace heddle::amr
