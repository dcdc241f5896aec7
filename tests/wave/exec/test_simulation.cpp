// Whole runs with known answers.
#include "wave/exec/simulation.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>

#include "tests/mesh/meshes.hpp"
#include "tests/wave/exec/cases.hpp"
#include "wave/exec/models.hpp"
#include "wave/flux/acoustics.hpp"
#include "wave/problem/exact_riemann.hpp"

namespace heddle::wave {
namespace {

// -- Shock tubes. Source: Toro, section 4.3.3.

using Gas1D = GasState;

const Gas1D kSodLeft{1.0, 0.0, 1.0}, kSodRight{0.125, 0.0, 0.1};

/// A tube along an axis of a 2-D domain, `volumes` long, one patch of 5 wide, in which two states meet in the
/// middle. is_reversed: the right one lies where coordinates are small.
struct Tube {
  Tube(const Gas1D& left, const Gas1D& right, int volumes, int axis, bool is_reversed)
      : axis(axis), is_reversed(is_reversed) {
    Problem<Euler<2>, 2> problem;
    problem.is_periodic[1 - axis] = true;
    problem.length = axis == 0 ? 1.0 : 5.0 / volumes;
    problem.initial = [=, this](const Position<2>& x) {
      const Gas1D& state = along(x) < 0.5 ? left : right;
      std::array<double, 2> velocity{};
      velocity[static_cast<std::size_t>(axis)] = is_reversed ? -state.velocity : state.velocity;
      return gas.conserved(state.density, velocity, state.pressure);
    };
    MeshSettings<2> mesh;
    mesh.roots = {1, 1};
    mesh.roots[axis] = volumes / 5;
    mesh.volumes = 5;
    mesh.cfl = 0.45;
    simulation = std::make_unique<Simulation<Euler<2>, 2, 2>>(problem, mesh, 1, alone());
  }
  [[nodiscard]] double along(const Position<2>& x) const { return is_reversed ? 1.0 - x[axis] : x[axis]; }
  /// Calls visit(position along the tube, state there) for every volume.
  template <class Visit>
  void for_each(Visit&& visit) const {
    simulation->for_each_state([&](const Position<2>& x, double, const State<Euler<2>>& q) {
      const double velocity = (is_reversed ? -1.0 : 1.0) * q[1 + axis] / q[0];
      visit(along(x), Gas1D{q[0], velocity, gas.pressure(q)});
    });
  }

  int axis;
  bool is_reversed;
  Euler<2> gas;
  std::unique_ptr<Simulation<Euler<2>, 2, 2>> simulation;
};

/// Mean errors of density, velocity and pressure at time 0.2.
Gas1D sod_errors(int volumes, int axis, bool is_reversed) {
  const Tube tube(kSodLeft, kSodRight, volumes, axis, is_reversed);
  tube.simulation->run(*make_serial(), 0.2, kNoLimit);
  const ExactRiemann solution(kSodLeft, kSodRight, 1.4);
  Gas1D error{};
  tube.for_each([&](double x, const Gas1D& found) {
    const Gas1D exact = solution.along((x - 0.5) / 0.2);
    const double share = 1.0 / (volumes * 5.0);
    error.density += share * std::abs(found.density - exact.density);
    error.velocity += share * std::abs(found.velocity - exact.velocity);
    error.pressure += share * std::abs(found.pressure - exact.pressure);
  });
  return error;
}

TEST(Sod, ErrorsOfFirstOrderRusanovAreThoseOfTheTable) {
  const std::array<std::pair<int, Gas1D>, 5> table{{{100, {2.45840e-2, 4.33486e-2, 2.21535e-2}},
                                                    {200, {1.67911e-2, 2.57435e-2, 1.36318e-2}},
                                                    {400, {1.10312e-2, 1.50661e-2, 8.23003e-3}},
                                                    {800, {7.11736e-3, 8.76804e-3, 4.87947e-3}},
                                                    {1600, {4.53419e-3, 4.83871e-3, 2.81942e-3}}}};
  for (const auto& [volumes, expected] : table) {
    const Gas1D found = sod_errors(volumes, 0, false);
    EXPECT_NEAR(found.density, expected.density, 1e-4 * expected.density) << volumes;
    EXPECT_NEAR(found.velocity, expected.velocity, 1e-4 * expected.velocity) << volumes;
    EXPECT_NEAR(found.pressure, expected.pressure, 1e-4 * expected.pressure) << volumes;
  }
}

TEST(Sod, IsTheSameAlongTheOtherAxisAndReversed) {
  const Gas1D x = sod_errors(100, 0, false);
  for (const auto& [axis, is_reversed] : {std::pair(1, false), std::pair(0, true), std::pair(1, true)}) {
    const Gas1D other = sod_errors(100, axis, is_reversed);
    EXPECT_NEAR(other.density, x.density, 1e-13);
    EXPECT_NEAR(other.velocity, x.velocity, 1e-13);
    EXPECT_NEAR(other.pressure, x.pressure, 1e-13);
  }
}

// Toro's other tests: pressure and velocity at the contact, where first order has long flattened what lies
// between the waves. near: how far from the exact star state, relative to the problem's own scales.
struct StarCase {
  const char* name;
  Gas1D left, right;
  double time, pressure, velocity;
  double near;
};
constexpr std::array<StarCase, 5> kStarCases{{
    {"toro1", {1, 0, 1}, {0.125, 0, 0.1}, 0.25, 0.303130178051, 0.927452620049, 0.01},
    {"toro2", {1, -2, 0.4}, {1, 2, 0.4}, 0.15, 0.001894, 0.0, 0.02},
    {"toro3", {1, 0, 1000}, {1, 0, 0.01}, 0.012, 460.893787, 19.597451, 0.02},
    {"toro4", {1, 0, 0.01}, {1, 0, 100}, 0.035, 46.095044, -6.196328, 0.02},
    {"toro5", {5.99924, 19.5975, 460.894}, {5.99242, -6.19633, 46.0950}, 0.035, 1691.646955, 8.689774, 0.02},
}};

TEST(StarStates, AreThoseOfTheExactSolutionAlongEachAxisAndReversed) {
  for (const StarCase& c : kStarCases) {
    for (const int axis : {0, 1}) {
      for (const bool is_reversed : {false, true}) {
        const Tube tube(c.left, c.right, 800, axis, is_reversed);
        tube.simulation->run(*make_serial(), c.time, kNoLimit);
        Gas1D mean{};
        int count = 0;
        tube.for_each([&](double x, const Gas1D& found) {
          if (std::abs(x - 0.5 - c.velocity * c.time) > 0.005) return;
          mean.velocity += found.velocity;
          mean.pressure += found.pressure;
          ++count;
        });
        ASSERT_GT(count, 0);
        const double p_scale = std::max({c.left.pressure, c.right.pressure, c.pressure});
        const double u_scale = std::max({1.0, std::abs(c.left.velocity), std::abs(c.velocity)});
        EXPECT_NEAR(mean.pressure / count, c.pressure, c.near * p_scale) << c.name << " axis " << axis;
        EXPECT_NEAR(mean.velocity / count, c.velocity, c.near * u_scale) << c.name << " axis " << axis;
      }
    }
  }
}

// A plane wave of linear acoustics is multiplied by g = 1 - i nu sin(k dx) - mu (1 - cos(k dx)) in every step
// of this scheme, nu and mu being sound speed and largest eigenvalue times dt / dx: both 0.5 here.
TEST(Acoustics, APlaneWaveIsDampedByTheFactorOfTheScheme) {
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
  Simulation<Acoustics<2>, 2, 2> simulation(problem, mesh, 1, alone());
  ASSERT_EQ(simulation.run(*make_serial(), 10.0, 200), 200);
  const double angle = 2 * M_PI / 64;
  const std::complex<double> factor(1.0 - 0.5 * (1.0 - std::cos(angle)), -0.5 * std::sin(angle));
  const std::complex<double> after = std::pow(factor, 200);
  EXPECT_NEAR(std::abs(after), 0.785799217106, 1e-12);
  double worst = 0.0;
  simulation.for_each_state([&](const Position<2>& x, double, const State<Acoustics<2>>& q) {
    const double expected = (after * std::polar(1.0, 2 * M_PI * x[0])).real();
    worst = std::max({worst, std::abs(q[0] - expected), std::abs(q[1] - expected), std::abs(q[2])});
  });
  EXPECT_LT(worst, 1e-13);
}

// -- Meshes that change

template <class Kind>
class SimulationOf : public ::testing::Test {};
TYPED_TEST_SUITE(SimulationOf, mesh::Kinds);

TYPED_TEST(SimulationOf, AFreeStreamStaysToTheBitWhileTheMeshChanges) {
  constexpr int D = TypeParam::kDimension, R = TypeParam::kRatio;
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

/// The largest change of an integral over a run, relative to the integral's own size or to 1.
template <int D, int R>
double drift(HangingFlux hanging, int steps) {
  const auto simulation = moving_vortex_mesh<D, R>(D == 2 ? 5 : 4, hanging);
  const auto before = simulation->integrals();
  simulation->run(*make_serial(), 1e9, steps);
  const auto after = simulation->integrals();
  double worst = 0.0;
  for (std::size_t v = 0; v < before.size(); ++v)
    worst = std::max(worst,
                     std::abs(after[v].value - before[v].value) / std::max(1.0, std::abs(before[v].value)));
  return worst;
}

TYPED_TEST(SimulationOf, NothingIsLostAtHangingFacesOrWhenTheMeshChanges) {
  constexpr int D = TypeParam::kDimension, R = TypeParam::kRatio;
  EXPECT_LT((drift<D, R>(HangingFlux::from_fine, D == 2 ? 1000 : 60)), 1e-13);
  // The same without the fine patches' fluxes must not pass.
  EXPECT_GT((drift<D, R>(HangingFlux::of_means, 60)), 1e-8);
}

}  // namespace
}  // namespace heddle::wave
