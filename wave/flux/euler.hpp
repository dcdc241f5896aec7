// Compressible Euler equations of an ideal gas: density, momentum, energy per volume.
//
// Source: Toro, "Riemann solvers and numerical methods for fluid dynamics", 3rd edition, section 3.1.
#pragma once

#include "wave/flux/equation.hpp"

namespace heddle::wave {

template <int D>
struct Euler {
  static constexpr int kUnknowns = D + 2;
  static constexpr std::array<const char*, D + 2> kNames = [] {
    if constexpr (D == 2) {
      return std::array{"density", "momentum_x", "momentum_y", "energy"};
    } else {
      return std::array{"density", "momentum_x", "momentum_y", "momentum_z", "energy"};
    }
  }();
  static constexpr std::array<const char*, D + 2> kPrimitiveNames = [] {
    if constexpr (D == 2) {
      return std::array{"density", "velocity_x", "velocity_y", "pressure"};
    } else {
      return std::array{"density", "velocity_x", "velocity_y", "velocity_z", "pressure"};
    }
  }();
  template <Number T>
  using Unknowns = std::array<T, D + 2>;
  using Q = Unknowns<double>;

  double gamma = 1.4;

  /// per_density: 1 / q[0].
  template <Number T>
  [[nodiscard]] T pressure(const Unknowns<T>& q, const T& per_density) const {
    T square = q[1] * q[1];
    for (int d = 1; d < D; ++d) square += q[1 + d] * q[1 + d];
    return (gamma - 1.0) * (q[D + 1] - 0.5 * square * per_density);
  }
  [[nodiscard]] double pressure(const Q& q) const { return pressure<double>(q, 1.0 / q[0]); }
  /// Of density, velocity and pressure.
  [[nodiscard]] Q conserved(double density, const std::array<double, D>& velocity, double pressure) const {
    Q q{};
    double square = 0.0;
    q[0] = density;
    for (int d = 0; d < D; ++d) {
      q[1 + d] = density * velocity[d];
      square += velocity[d] * velocity[d];
    }
    q[D + 1] = pressure / (gamma - 1.0) + 0.5 * density * square;
    return q;
  }

  [[nodiscard]] Q primitive(const Q& q) const {
    Q p = q;
    for (int d = 0; d < D; ++d) p[1 + d] = q[1 + d] / q[0];
    p[D + 1] = pressure(q);
    return p;
  }

  template <Number T>
  T flux(const Unknowns<T>& q, int axis, Unknowns<T>& f) const {
    // One division: these are what a step costs, not the multiplications.
    const T per_density = 1.0 / q[0];
    const T velocity = q[1 + axis] * per_density;
    const T p = pressure<T>(q, per_density);
    f[0] = q[1 + axis];
    for (int d = 0; d < D; ++d) f[1 + d] = q[1 + d] * velocity;
    f[1 + axis] += p;
    f[D + 1] = (q[D + 1] + p) * velocity;
    return magnitude(velocity) + square_root(T(gamma * p * per_density));
  }
  [[nodiscard]] Q mirrored(const Q& q, int axis) const {
    Q m = q;
    m[1 + axis] = -q[1 + axis];
    return m;
  }
};

}  // namespace heddle::wave
