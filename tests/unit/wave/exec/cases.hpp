// Simulations that several tests run.
#pragma once

#include <omp.h>

#include <memory>

#include "wave/exec/models.hpp"
#include "wave/exec/simulation.hpp"
#include "wave/flux/euler.hpp"

namespace heddle::wave {

/// First order, and second order with its usual limiter.
inline constexpr std::array<std::optional<Limiter>, 2> kSchemes{std::nullopt, Limiter::mc};

/// No other ranks.
inline exchange::Communicator& alone() {
  static exchange::SerialCommunicator alone;
  return alone;
}

/// Refines whatever meets a ball that moves along the diagonal and through periodic ends, in a unit cube: a
/// mesh that changes without regard to the solution.
template <int D>
Criterion<D> moving_ball() {
  return [](const Position<D>& low, const Position<D>& high, int, double time, double) {
    double square = 0.0;
    for (int d = 0; d < D; ++d) {
      const double centre = std::fmod(0.3 + 5.0 * time, 1.0);
      const double nearest = std::clamp(centre, low[d], high[d]);
      square += (nearest - centre) * (nearest - centre);
    }
    return square < 0.04 ? mesh::Mark::refine : mesh::Mark::coarsen;
  };
}

/// A gas of smooth density, in motion, in a periodic unit cube on a mesh that changes every three steps.
template <int D, int R>
std::unique_ptr<Simulation<Euler<D>, D, R>> moving_vortex_mesh(int volumes,
                                                               std::optional<Limiter> limiter = {},
                                                               HangingFlux hanging = HangingFlux::from_fine) {
  Problem<Euler<D>, D> problem;
  problem.is_periodic.fill(true);
  problem.initial = [gas = problem.equation](const Position<D>& x) {
    std::array<double, D> velocity{};
    for (int d = 0; d < D; ++d) velocity[d] = 0.4 - 0.3 * d + 0.2 * std::sin(2 * M_PI * x[(d + 1) % D]);
    return gas.conserved(1.0 + 0.3 * std::sin(2 * M_PI * x[0]) * std::cos(2 * M_PI * x[1]), velocity, 1.0);
  };
  MeshSettings<D> mesh;
  mesh.roots.fill(R == 2 ? 2 : 1);
  mesh.volumes = volumes;
  mesh.deepest_level = 2;
  mesh.regrid_every = 3;
  mesh.hanging = hanging;
  mesh.limiter = limiter;
  return std::make_unique<Simulation<Euler<D>, D, R>>(problem, mesh, 8, alone(), moving_ball<D>());
}

/// Of a run of moving_vortex_mesh().
template <int D, int R>
double drift(std::optional<Limiter> limiter, HangingFlux hanging, int steps) {
  const auto simulation = moving_vortex_mesh<D, R>(D == 2 ? 5 : 4, limiter, hanging);
  const auto before = simulation->integrals();
  simulation->run(*make_serial(), 1e9, steps);
  return drift(before, simulation->integrals());
}

}  // namespace heddle::wave
