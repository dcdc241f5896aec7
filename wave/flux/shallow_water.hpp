// Shallow water over a flat bed: depth and momentum, both per area and density.
//
// Source: LeVeque, "Finite volume methods for hyperbolic problems", section 13.1.
#pragma once

#include "wave/flux/equation.hpp"

namespace heddle::wave {

template <int D>
struct ShallowWater {
  static constexpr bool kIsPlanar = true;  // D is 2
  static constexpr int kUnknowns = 3;
  static constexpr std::array<const char*, 3> kNames{"depth", "momentum_x", "momentum_y"};
  static constexpr std::array<const char*, 3> kPrimitiveNames{"depth", "velocity_x", "velocity_y"};
  template <Number T>
  using Unknowns = std::array<T, 3>;
  using Q = Unknowns<double>;

  double gravity = 1.0;

  template <Number T>
  T flux(const Unknowns<T>& q, int axis, Unknowns<T>& f) const {
    const T velocity = q[1 + axis] / q[0];
    f[0] = q[1 + axis];
    for (int d = 0; d < 2; ++d) f[1 + d] = q[1 + d] * velocity;
    f[1 + axis] += 0.5 * gravity * q[0] * q[0];
    return magnitude(velocity) + square_root(T(gravity * q[0]));
  }
  [[nodiscard]] Q mirrored(const Q& q, int axis) const {
    Q m = q;
    m[1 + axis] = -q[1 + axis];
    return m;
  }
  [[nodiscard]] Q primitive(const Q& q) const { return {q[0], q[1] / q[0], q[2] / q[0]}; }
};

}  // namespace heddle::wave
