// Lines through the grid of a flow, and what BT, SP and LU do with its result.
#pragma once

#include <vector>

#include "flow.hpp"

namespace nas {

/// The point of a face at which an inner line along the axis begins, of inner() squared lines. Lines along y
/// and z follow each other along x.
template <int kAxis>
long start_of_line(const Grid& grid, long line) {
  const long fast = line % grid.inner() + 1, slow = line / grid.inner() + 1;
  if constexpr (kAxis == 0) return grid.at(0, fast, slow);
  if constexpr (kAxis == 1) return grid.at(fast, 0, slow);
  return grid.at(fast, slow, 0);
}

/// Advances the state along a line by what its right side has become.
template <int kAxis>
void add_line(Flow& flow, long first) {
  const long step = flow.grid().step(kAxis);
  for (std::size_t m = 0; m < 5; ++m) {
    for (long i = 1; i <= flow.grid().inner(); ++i) {
      const auto point = static_cast<std::size_t>(first + i * step);
      flow.u[m][point] += flow.rhs[m][point];
    }
  }
}

/// The norms of the residual, unknown by unknown, then those of the error.
inline std::vector<double> norms_of(Flow& flow) {
  const State error = flow.error_norm(), residual = flow.residual_norm();
  std::vector<double> norms(residual.begin(), residual.end());
  norms.insert(norms.end(), error.begin(), error.end());
  return norms;
}

}  // namespace nas
