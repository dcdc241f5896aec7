// One quantity that a constant wind carries.
#pragma once

#include <cmath>

#include "wave/flux/equation.hpp"

namespace heddle::wave {

template <int D>
struct Advection {
  static constexpr int kUnknowns = 1;
  static constexpr std::array<const char*, 1> kNames{"quantity"};
  using Q = std::array<double, 1>;

  std::array<double, D> velocity{};

  double flux(const Q& q, int axis, Q& f) const {
    f[0] = velocity[axis] * q[0];
    return std::abs(velocity[axis]);
  }
  [[nodiscard]] Q mirrored(const Q& q, int /*axis*/) const { return q; }
};

}  // namespace heddle::wave
