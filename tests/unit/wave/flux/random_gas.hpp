// Patches full of gas.
#pragma once

#include <random>
#include <vector>

#include "wave/flux/euler.hpp"
#include "wave/patch/patches.hpp"

namespace heddle::wave {

inline constexpr int kVolumes = 7;

template <int D>
std::array<double, D> random_velocity(std::mt19937& random) {
  std::uniform_real_distribution<double> velocity(-1.0, 1.0);
  std::array<double, D> u{};
  for (double& component : u) component = velocity(random);
  return u;
}

/// Ghosts included.
template <int D>
std::vector<double> random_gas(const PatchShape<D>& shape, std::mt19937& random) {
  const Euler<D> gas;
  std::uniform_real_distribution<double> positive(0.5, 2.0);
  std::vector<double> q(shape.size(D + 2));
  for (std::ptrdiff_t at = 0; at < shape.plane(); ++at) {
    const auto state = gas.conserved(positive(random), random_velocity<D>(random), positive(random));
    for (int v = 0; v < D + 2; ++v) q[static_cast<std::size_t>(at + v * shape.plane())] = state[v];
  }
  return q;
}

/// A volume's state, of planes.
template <int D>
State<Euler<D>> state_at(const PatchShape<D>& shape, const std::vector<double>& values, std::ptrdiff_t at) {
  State<Euler<D>> s;
  for (int v = 0; v < D + 2; ++v) s[v] = values[static_cast<std::size_t>(at + v * shape.plane())];
  return s;
}

}  // namespace heddle::wave
