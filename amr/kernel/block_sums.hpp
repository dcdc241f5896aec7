// What one variable of one block adds up to: the checksum, and two stronger sums for people who compare runs.
//
// Words: *moment* is the sum of v*(X + 2Y + 3Z) with (X, Y, Z) the cell centre in the unit cube. A *lane* is
// one of kLanes interleaved partial sums: cell k of a row goes to lane k mod kLanes.
//
// Invariant: the order of additions is fixed here, so a block's sums do not depend on compiler, vector width,
// layout or thread.
#pragma once

#include <array>
#include <vector>

#include "amr/field/octree.hpp"
#include "amr/field/shape.hpp"

namespace heddle::amr {

inline constexpr int kLanes = 16;
using Lanes = std::array<double, kLanes>;

struct BlockSums {
  double sum = 0.0;
  double sumsq = 0.0;
  double moment = 0.0;
};

/// Calls add(lane, k) for the cells of a row, so that full groups of lanes vectorise.
template <class Add>
inline void for_lanes(int n, Add&& add) {
  int k = 0;
  for (; k + kLanes <= n; k += kLanes) {
#pragma omp simd
    for (int l = 0; l < kLanes; ++l) add(l, k + l);
  }
  for (int l = 0; k < n; ++k, ++l) add(l, k);
}

[[nodiscard]] inline double total_of(const Lanes& lanes) {
  double sum = lanes[0];
  for (int l = 1; l < kLanes; ++l) sum += lanes[l];
  return sum;
}

template <class Field>
[[nodiscard]] double block_sum(Field& field, int slot, int v) {
  const Shape& s = field.shape();
  alignas(64) Lanes sum{};
  for (int i = 1; i <= s.nx(); ++i) {
    for (int j = 1; j <= s.ny(); ++j) {
      const double* row = field.row(slot, v, i, j);
      for_lanes(s.nz(), [&](int l, int k) { sum[l] += row[k]; });
    }
  }
  return total_of(sum);
}

/// All three sums; the first is block_sum()'s bit for bit.
template <class Field>
[[nodiscard]] BlockSums block_sums(Field& field, int slot, int v, const Extent& extent) {
  const Shape& s = field.shape();
  std::array<double, 3> step{};
  for (int d = 0; d < 3; ++d) step[d] = (extent.high[d] - extent.low[d]) / s.cells[d];
  thread_local std::vector<double> z_part;
  z_part.resize(s.nz());
  for (int k = 0; k < s.nz(); ++k) z_part[k] = 3.0 * (extent.low[2] + (k + 0.5) * step[2]);
  const double* __restrict z = z_part.data();
  alignas(64) Lanes sum{};
  alignas(64) Lanes sumsq{};
  alignas(64) Lanes moment{};
  for (int i = 1; i <= s.nx(); ++i) {
    for (int j = 1; j <= s.ny(); ++j) {
      const double* row = field.row(slot, v, i, j);
      const double x = extent.low[0] + (i - 0.5) * step[0];
      const double y = extent.low[1] + (j - 0.5) * step[1];
      const double xy_part = x + 2.0 * y;
      for_lanes(s.nz(), [&](int l, int k) {
        sum[l] += row[k];
        sumsq[l] += row[k] * row[k];
        moment[l] += row[k] * (xy_part + z[k]);
      });
    }
  }
  return {total_of(sum), total_of(sumsq), total_of(moment)};
}

}  // namespace heddle::amr
