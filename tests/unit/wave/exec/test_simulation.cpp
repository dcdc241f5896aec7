// Whole runs with known answers.
#include "wave/exec/simulation.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>

#include "tests/unit/mesh/meshes.hpp"
#include "tests/unit/wave/exec/cases.hpp"
#include "wave/exec/models.hpp"
#include "wave/flux/acoustics.hpp"

namespace heddle::wave {
namespace {

/// Whether a plane wave of linear acoustics is multiplied by `factor` in every step, on 64 volumes and with a
/// CFL number of 0.5. factor: of 2 pi / 64.
void expect_damping(std::optional<Limiter> limiter, std::complex<double> factor) {
  Problem<Acoustics<2>, 2> problem;
  problem.is_periodic = {true, true};
  problem.initial = [](const Position<2>& x) {
    const double wave = std::cos(2 * M_PI * x[0]);
    return State<Acoustics<2>>{wave, wave, 0.0};
  };
  MeshSettings<2> mesh;
  mesh.roots = {8, 1};
  mesh.volumes = 8;
  mesh.cfl = 0.5;
  mesh.limiter = limiter;
  Simulation<Acoustics<2>, 2, 2> simulation(problem, mesh, 1, alone());
  ASSERT_EQ(simulation.run(*make_serial(), 10.0, 200), 200);
  const std::complex<double> after = std::pow(factor, 200);
  double worst = 0.0;
  simulation.for_each_state([&](const Position<2>& x, double, const State<Acoustics<2>>& q) {
    const double expected = (after * std::polar(1.0, 2 * M_PI * x[0])).real();
    worst = std::max({worst, std::abs(q[0] - expected), std::abs(q[1] - expected), std::abs(q[2])});
  });
  EXPECT_LT(worst, 1e-13);
}

// g = 1 - i nu sin(k dx) - mu (1 - cos(k dx)), nu and mu being sound speed and largest eigenvalue times dt /
// dx.
TEST(Acoustics, APlaneWaveIsDampedByTheFactorOfTheFirstOrderScheme) {
  const double angle = 2 * M_PI / 64;
  const std::complex<double> factor(1.0 - 0.5 * (1.0 - std::cos(angle)), -0.5 * std::sin(angle));
  EXPECT_NEAR(std::abs(std::pow(factor, 200)), 0.785799217106, 1e-12);
  expect_damping({}, factor);
}

// Without a limiter MUSCL-Hancock is Fromm's scheme for each wave. Source: LeVeque, section 6.3.
TEST(Acoustics, APlaneWaveIsDampedByTheFactorOfFrommsScheme) {
  const double nu = 0.5, angle = 2 * M_PI / 64;
  const auto shift = [&](int volumes) { return std::polar(1.0, volumes * angle); };
  const std::complex<double> factor =
      1.0 - nu * (1.0 - shift(-1)) - 0.25 * nu * (1.0 - nu) * (shift(1) - 1.0 - shift(-1) + shift(-2));
  EXPECT_GT(std::abs(std::pow(factor, 200)), 0.999);
  expect_damping(Limiter::none, factor);
}

// -- Meshes that change

template <class Kind>
class SimulationOf : public ::testing::Test {};
TYPED_TEST_SUITE(SimulationOf, mesh::Kinds);

template <int D, int R>
void expect_free_stream(std::optional<Limiter> limiter) {
  Problem<Euler<D>, D> problem;
  problem.is_periodic.fill(true);
  std::array<double, D> velocity{};
  for (int d = 0; d < D; ++d) velocity[d] = 0.7 - 0.45 * d;
  const auto stream = problem.equation.conserved(1.1, velocity, 0.37);
  problem.initial = [=](const Position<D>&) { return stream; };
  MeshSettings<D> mesh;
  mesh.roots.fill(R == 2 ? 2 : 1);
  mesh.volumes = 4;  // which 3 does not divide
  mesh.deepest_level = 2;
  mesh.regrid_every = 2;
  mesh.limiter = limiter;
  Simulation<Euler<D>, D, R> simulation(problem, mesh, 1, alone(), moving_ball<D>());
  const auto model = make_serial();
  int changes = 0, hanging = 0;
  for (int step = 0; step < 40; ++step) {
    const int before = simulation.patches();
    simulation.run(*model, 10.0, 1);
    changes += simulation.patches() != before ? 1 : 0;
    const auto levels = simulation.tree().leaves_per_level();
    hanging += std::count_if(levels.begin(), levels.end(), [](int n) { return n > 0; }) > 1 ? 1 : 0;
  }
  EXPECT_GT(changes, 3);
  EXPECT_GT(hanging, 20);
  simulation.for_each_state(
      [&](const Position<D>&, double, const State<Euler<D>>& q) { ASSERT_EQ(q, stream); });
}

TYPED_TEST(SimulationOf, AFreeStreamStaysToTheBitWhileTheMeshChanges) {
  for (const auto limiter : kSchemes) expect_free_stream<TypeParam::kDimension, TypeParam::kRatio>(limiter);
}

TYPED_TEST(SimulationOf, NothingIsLostAtHangingFacesOrWhenTheMeshChanges) {
  constexpr int D = TypeParam::kDimension, R = TypeParam::kRatio;
  for (const auto limiter : kSchemes) {
    EXPECT_LT((drift<D, R>(limiter, HangingFlux::from_fine, D == 2 ? 1000 : 60)), 1e-13);
    // The same without the fine patches' fluxes must not pass.
    EXPECT_GT((drift<D, R>(limiter, HangingFlux::of_means, 60)), 1e-8);
  }
}

}  // namespace
}  // namespace heddle::wave
