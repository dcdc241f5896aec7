// The 27-point average, in place.
//
// Jacobi: the nine cells of each of three planes are summed, j outer, k inner, left to right; the three sums
// are added and divided by 27. A plane's sums serve three output planes, so each is computed once and kept in
// a rolling buffer.
#pragma once

#include <array>

#include "amr/kernel/divide.hpp"
#include "amr/kernel/workspace.hpp"

namespace heddle::amr {

/// sums(j, k) = the nine cells around (j, k) of one padded plane, for interior (j, k).
template <int kNz>
void nine_point_sums(const double* plane, double* sums, int ny, int nz_any, int pitch) {
  const int nz = kNz > 0 ? kNz : nz_any;
  for (int j = 1; j <= ny; ++j) {
    const double* __restrict c = plane + j * pitch + kRowLead;
    const double* __restrict m = c - pitch;
    const double* __restrict p = c + pitch;
    double* __restrict s = sums + j * pitch + kRowLead;
#pragma omp simd
    for (int k = 0; k < nz; ++k) {
      s[k] = m[k - 1] + m[k] + m[k + 1] + c[k - 1] + c[k] + c[k + 1] + p[k - 1] + p[k] + p[k + 1];
    }
  }
}

template <int kNz, class Field>
void stencil_27(Field& field, int slot, int v, Workspace& workspace) {
  const Shape& shape = field.shape();
  const int pitch = padded_pitch(shape.nz());
  const int ny = shape.ny();
  const int nz = kNz > 0 ? kNz : shape.nz();
  const std::size_t size = plane_buffer_size(shape);
  double* plane = workspace.at_least(4 * size);
  std::array<double*, 3> sums{plane + size, plane + 2 * size, plane + 3 * size};
  const auto around = field.ghost_planes(slot, v);
  const auto sum_plane = [&](int i, double* to) {
    field.template load_plane<true, kNz>(slot, v, i, around, plane, pitch);
    nine_point_sums<kNz>(plane, to, ny, nz, pitch);
  };
  sum_plane(0, sums[0]);
  sum_plane(1, sums[1]);
  for (int i = 1; i <= shape.nx(); ++i) {
    sum_plane(i + 1, sums[2]);
    for (int j = 1; j <= ny; ++j) {
      const std::ptrdiff_t at = j * pitch + kRowLead;
      const double* __restrict below = sums[0] + at;
      const double* __restrict here = sums[1] + at;
      const double* __restrict above = sums[2] + at;
      double* __restrict out = field.row(slot, v, i, j);
#pragma omp simd
      for (int k = 0; k < nz; ++k) out[k] = divided_by<27>(below[k] + here[k] + above[k]);
      field.finish_row(slot, v, i, j, out, 0);
    }
    sums = {sums[1], sums[2], sums[0]};
  }
}

}  // namespace heddle::amr
