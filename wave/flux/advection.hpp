// One quantity that a constant wind carries.
#pragma once

#include "wave/flux/equation.hpp"

namespace heddle::wave {

template <int D>
struct Advection {
  static constexpr int kUnknowns = 1;
  static constexpr std::array<const char*, 1> kNames{"quantity"};
  template <Number T>
  using Unknowns = std::array<T, 1>;
  using Q = Unknowns<double>;

  std::array<double, D> velocity{};

  template <Number T>
  T flux(const Unknowns<T>& q, int axis, Unknowns<T>& f) const {
    f[0] = velocity[axis] * q[0];
    return T{} + magnitude(velocity[axis]);
  }
  [[nodiscard]] Q mirrored(const Q& q, int /*axis*/) const { return q; }
};

}  // namespace heddle::wave
