// The 7-point average for the contiguous layout and rows of whole vectors (nz a multiple of 8): the same sums
// in the same order as stencil_7.hpp, hence the same bits.
//
// Why a kernel of its own: rows without gaps are aligned, so neighbours along z come from shifting registers
// and the row before comes from the registers of the last step. Old values survive in one plane buffer that
// trails the sweep. Measured (16^3 cells, 10 variables, in the second-level cache): 1.0 ns a cell with three
// padded planes, 0.6 ns so. Tried: asking for the next brick early, as stencil_7.hpp does; here it costs 10
// %.
#pragma once

#include <array>

#include "amr/field/contiguous.hpp"
#include "amr/kernel/stencil_7.hpp"
#include "amr/kernel/vector8.hpp"
#include "amr/kernel/workspace.hpp"

namespace heddle::amr {

/// Requires: nz == 8 * kVectors.
template <int kVectors>
void stencil_7_rows(ContiguousField& field, int slot, int v, const Surroundings& around,
                    Workspace& workspace) {
  constexpr int nz = 8 * kVectors;
  const int nx = field.shape().nx();
  const int ny = field.shape().ny();
  const bool has_faces = field.has_faces();
  std::array<double*, 6> faces{};  // that this writes
  for (int n = has_faces ? 0 : 4; n < 6; ++n) faces[n] = field.face(slot, v, n, around.next_generation);

  double* trailing = workspace.at_least(static_cast<std::size_t>(ny) * nz);  // old values of plane i-1
  std::memcpy(trailing, around.planes[0], sizeof(double) * ny * nz);
  for (int i = 1; i <= nx; ++i) {
    double* row = field.row(slot, v, i, 1);
    const double* above = i < nx ? field.row(slot, v, i + 1, 1) : around.planes[1];
    const std::ptrdiff_t along_z = static_cast<std::ptrdiff_t>(i - 1) * nz;
    const std::ptrdiff_t along_y = static_cast<std::ptrdiff_t>(i - 1) * ny;
    const double* y_high = around.planes[3] + along_z;
    const double* z_low = around.planes[4] + along_y;
    const double* z_high = around.planes[5] + along_y;
    double* old = trailing;
    Vector8 before[kVectors];  // old values of row j-1
    for_vectors<kVectors>([&](auto n) { before[n] = load8(around.planes[2] + along_z + 8 * n); });
    for (int j = 0; j < ny; ++j) {
      const double* after = j + 1 < ny ? row + nz : y_high;
      Vector8 centre[kVectors];
      for_vectors<kVectors>([&](auto n) { centre[n] = load8(row + 8 * n); });
      Vector8 mean[kVectors];
      for_vectors<kVectors>([&](auto n) {
        double left;
        double right;
        if constexpr (n == 0)
          left = z_low[j];
        else
          left = centre[n - 1][7];
        if constexpr (n + 1 == kVectors)
          right = z_high[j];
        else
          right = centre[n + 1][0];
        const Vector8 sum = load8(old + 8 * n) + before[n] + shifted_up(centre[n], left) + centre[n] +
                            shifted_down(centre[n], right) + load8(after + 8 * n) + load8(above + 8 * n);
        mean[n] = divided_by<7>(sum);
      });
      const auto store_at = [&](double* to) {
        for_vectors<kVectors>([&](auto n) { store8(to + 8 * n, mean[n]); });
      };
      store_at(row);
      for_vectors<kVectors>([&](auto n) {
        store8(old + 8 * n, centre[n]);
        before[n] = centre[n];
      });
      faces[4][along_y + j] = mean[0][0];
      faces[5][along_y + j] = mean[kVectors - 1][7];
      if (has_faces) {
        if (j == 0) store_at(faces[2] + along_z);
        if (j + 1 == ny) store_at(faces[3] + along_z);
        if (i == 1) store_at(faces[0] + static_cast<std::ptrdiff_t>(j) * nz);
        if (i == nx) store_at(faces[1] + static_cast<std::ptrdiff_t>(j) * nz);
      }
      row += nz;
      above += nz;
      old += nz;
    }
  }
}

}  // namespace heddle::amr
