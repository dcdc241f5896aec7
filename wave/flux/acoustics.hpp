// Linear acoustics in a medium at rest: pressure and velocity.
//
// Source: LeVeque, "Finite volume methods for hyperbolic problems", section 2.8.
#pragma once

#include "wave/flux/equation.hpp"

namespace heddle::wave {

template <int D>
struct Acoustics {
  static constexpr int kUnknowns = D + 1;
  static constexpr std::array<const char*, D + 1> kNames = [] {
    if constexpr (D == 2) {
      return std::array{"pressure", "velocity_x", "velocity_y"};
    } else {
      return std::array{"pressure", "velocity_x", "velocity_y", "velocity_z"};
    }
  }();
  template <Number T>
  using Unknowns = std::array<T, D + 1>;
  using Q = Unknowns<double>;

  double density = 1.0;
  double sound_speed = 1.0;

  template <Number T>
  T flux(const Unknowns<T>& q, int axis, Unknowns<T>& f) const {
    f[0] = density * sound_speed * sound_speed * q[1 + axis];
    for (int d = 0; d < D; ++d) f[1 + d] = T{};
    f[1 + axis] = q[0] / density;
    return T{} + sound_speed;
  }
  [[nodiscard]] Q mirrored(const Q& q, int axis) const {
    Q m = q;
    m[1 + axis] = -q[1 + axis];
    return m;
  }
};

}  // namespace heddle::wave
