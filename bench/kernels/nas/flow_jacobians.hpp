// The bodies of add_jacobians() and solve_block(). Included by flow.hpp alone.
#pragma once

namespace nas {

template <int kAxis>
inline void add_jacobians(Block& block, const State& u, double convective, double viscous) {
  constexpr std::size_t kAlong = kAxis + 1;  // the momentum along the axis
  constexpr double kC34 = kC3C4, kC1345 = kC1C5 * kC3C4;
  const double inverse = 1 / u[0], inverse2 = inverse * inverse, inverse3 = inverse * inverse2;
  const double along = u[kAlong];
  const double specific = 0.5 * (u[1] * u[1] + u[2] * u[2] + u[3] * u[3]) * inverse2;

  block[0][kAlong] += convective;
  for (std::size_t m = 1; m <= 3; ++m) {
    const double factor = m == kAlong ? kCon43 * kC34 : kC34;
    block[m][0] += convective * (-(u[m] * along) * inverse2) - viscous * factor * inverse2 * u[m];
    block[m][m] += convective * along * inverse + viscous * factor * inverse;
    block[m][kAlong] += convective * u[m] * inverse;
    block[4][m] +=
        convective * -kC2 * u[m] * along * inverse2 + viscous * (factor - kC1345) * inverse2 * u[m];
    block[4][0] -= viscous * (factor - kC1345) * inverse3 * u[m] * u[m];
  }
  block[kAlong][0] += convective * kC2 * specific;
  for (std::size_t m = 1; m <= 3; ++m) block[kAlong][m] -= convective * kC2 * u[m] * inverse;
  block[kAlong][4] += convective * kC2;
  block[4][0] += convective * (2 * kC2 * specific * u[0] - kC1 * u[4]) * along * inverse2 -
                 viscous * kC1345 * inverse2 * u[4];
  block[4][kAlong] += convective * (kC1 * u[4] * inverse - kC2 * specific);
  block[4][4] += convective * kC1 * along * inverse + viscous * kC1345 * inverse;
  for (std::size_t m = 0; m < 5; ++m) block[m][m] += viscous * kDissipation[kAxis];
}

inline void solve_block(Block& block, State& right_side, Block* other) {
  for (std::size_t pivot = 0; pivot < 5; ++pivot) {
    const double inverse = 1 / block[pivot][pivot];
    for (std::size_t column = pivot + 1; column < 5; ++column) block[pivot][column] *= inverse;
    right_side[pivot] *= inverse;
    if (other != nullptr) {
      for (double& value : (*other)[pivot]) value *= inverse;
    }
    for (std::size_t row = 0; row < 5; ++row) {
      if (row == pivot) continue;
      const double factor = block[row][pivot];
      for (std::size_t column = pivot + 1; column < 5; ++column)
        block[row][column] -= factor * block[pivot][column];
      right_side[row] -= factor * right_side[pivot];
      if (other != nullptr) {
        for (std::size_t column = 0; column < 5; ++column)
          (*other)[row][column] -= factor * (*other)[pivot][column];
      }
    }
  }
}

}  // namespace nas
