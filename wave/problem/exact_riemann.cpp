#include "wave/problem/exact_riemann.hpp"

#include <algorithm>
#include <cmath>

namespace heddle::wave {
namespace {

double sound_speed(const GasState& gas, double gamma) {
  return std::sqrt(gamma * gas.pressure / gas.density);
}

/// The change of velocity across the wave on one side that takes the gas to this pressure, and its
/// derivative. Toro, equations 4.6, 4.7 and 4.37.
struct Jump {
  double velocity, slope;
};
Jump across_wave(const GasState& gas, double gamma, double pressure) {
  if (pressure > gas.pressure) {
    const double a = 2.0 / ((gamma + 1.0) * gas.density), b = (gamma - 1.0) / (gamma + 1.0) * gas.pressure;
    const double root = std::sqrt(a / (pressure + b));
    return {(pressure - gas.pressure) * root,
            root * (1.0 - 0.5 * (pressure - gas.pressure) / (pressure + b))};
  }
  const double c = sound_speed(gas, gamma), ratio = pressure / gas.pressure;
  return {2.0 * c / (gamma - 1.0) * (std::pow(ratio, (gamma - 1.0) / (2.0 * gamma)) - 1.0),
          std::pow(ratio, -(gamma + 1.0) / (2.0 * gamma)) / (gas.density * c)};
}

}  // namespace

bool ExactRiemann::creates_vacuum(const GasState& left, const GasState& right, double gamma) {
  return 2.0 / (gamma - 1.0) * (sound_speed(left, gamma) + sound_speed(right, gamma)) <=
         right.velocity - left.velocity;
}

ExactRiemann::ExactRiemann(const GasState& left, const GasState& right, double gamma)
    : left_(left), right_(right), gamma_(gamma) {
  // Newton's method from the pressure of two rarefactions, which is below the root or close above it; the
  // function is concave, so that every later iterate is below.
  const double z = (gamma - 1.0) / (2.0 * gamma);
  const double c_left = sound_speed(left, gamma), c_right = sound_speed(right, gamma);
  pressure_ = std::pow((c_left + c_right - 0.5 * (gamma - 1.0) * (right.velocity - left.velocity)) /
                           (c_left / std::pow(left.pressure, z) + c_right / std::pow(right.pressure, z)),
                       1.0 / z);
  for (int i = 0; i < 100; ++i) {
    const Jump l = across_wave(left, gamma, pressure_), r = across_wave(right, gamma, pressure_);
    const double step = (l.velocity + r.velocity + right.velocity - left.velocity) / (l.slope + r.slope);
    const double before = pressure_;
    pressure_ = std::max(before - step, 1e-3 * before);
    if (std::abs(pressure_ - before) <= 1e-15 * before) break;
  }
  velocity_ = 0.5 * (left.velocity + right.velocity + across_wave(right, gamma, pressure_).velocity -
                     across_wave(left, gamma, pressure_).velocity);
}

GasState ExactRiemann::left_of_contact(const GasState& outer, double star_velocity, double speed) const {
  const double g = gamma_, c = sound_speed(outer, g), ratio = pressure_ / outer.pressure;
  if (pressure_ > outer.pressure) {
    const double shock =
        outer.velocity - c * std::sqrt((g + 1.0) / (2.0 * g) * ratio + (g - 1.0) / (2.0 * g));
    if (speed < shock) return outer;
    const double k = (g - 1.0) / (g + 1.0);
    return {outer.density * (ratio + k) / (k * ratio + 1.0), star_velocity, pressure_};
  }
  const double c_star = c * std::pow(ratio, (g - 1.0) / (2.0 * g));
  if (speed < outer.velocity - c) return outer;
  if (speed > star_velocity - c_star)
    return {outer.density * std::pow(ratio, 1.0 / g), star_velocity, pressure_};
  const double in_fan = 2.0 / (g + 1.0) + (g - 1.0) / ((g + 1.0) * c) * (outer.velocity - speed);
  return {outer.density * std::pow(in_fan, 2.0 / (g - 1.0)),
          2.0 / (g + 1.0) * (c + 0.5 * (g - 1.0) * outer.velocity + speed),
          outer.pressure * std::pow(in_fan, 2.0 * g / (g - 1.0))};
}

GasState ExactRiemann::along(double speed) const {
  if (speed <= velocity_) return left_of_contact(left_, velocity_, speed);
  const GasState mirrored =
      left_of_contact({right_.density, -right_.velocity, right_.pressure}, -velocity_, -speed);
  return {mirrored.density, -mirrored.velocity, mirrored.pressure};
}

}  // namespace heddle::wave
