// Shock tubes along each axis and reversed. Source: Toro, section 4.3.3.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/unit/wave/exec/cases.hpp"
#include "wave/exec/models.hpp"
#include "wave/problem/exact_riemann.hpp"

namespace heddle::wave {
namespace {

using Gas1D = GasState;

const Gas1D kSodLeft{1.0, 0.0, 1.0}, kSodRight{0.125, 0.0, 0.1};

/// A tube along an axis, `volumes` long, one patch of 5 wide, in which two states meet in the middle.
/// is_reversed: the right one lies where coordinates are small.
template <int D>
struct Tube {
  Tube(const Gas1D& left, const Gas1D& right, int volumes, int axis, bool is_reversed,
       std::optional<Limiter> limiter = {})
      : axis(axis), is_reversed(is_reversed) {
    Problem<Euler<D>, D> problem;
    problem.is_periodic.fill(true);
    problem.is_periodic[axis] = false;
    problem.length = axis == 0 ? 1.0 : 5.0 / volumes;
    problem.initial = [=, this](const Position<D>& x) {
      const Gas1D& state = along(x) < 0.5 ? left : right;
      std::array<double, D> velocity{};
      velocity[static_cast<std::size_t>(axis)] = is_reversed ? -state.velocity : state.velocity;
      return gas.conserved(state.density, velocity, state.pressure);
    };
    MeshSettings<D> mesh;
    mesh.roots.fill(1);
    mesh.roots[axis] = volumes / 5;
    mesh.volumes = 5;
    mesh.cfl = 0.45;
    mesh.limiter = limiter;
    simulation = std::make_unique<Simulation<Euler<D>, D, 2>>(problem, mesh, 1, alone());
  }
  [[nodiscard]] double along(const Position<D>& x) const { return is_reversed ? 1.0 - x[axis] : x[axis]; }
  /// Calls visit(position along the tube, state there) for every volume.
  template <class Visit>
  void for_each(Visit&& visit) const {
    simulation->for_each_state([&](const Position<D>& x, double, const State<Euler<D>>& q) {
      const double velocity = (is_reversed ? -1.0 : 1.0) * q[1 + axis] / q[0];
      visit(along(x), Gas1D{q[0], velocity, gas.pressure(q)});
    });
  }

  int axis;
  bool is_reversed;
  Euler<D> gas;
  std::unique_ptr<Simulation<Euler<D>, D, 2>> simulation;
};

/// Mean errors of density, velocity and pressure at time 0.2.
template <int D>
Gas1D sod_errors(int volumes, int axis, bool is_reversed, std::optional<Limiter> limiter = {}) {
  const Tube<D> tube(kSodLeft, kSodRight, volumes, axis, is_reversed, limiter);
  tube.simulation->run(*make_serial(), 0.2, kNoLimit);
  const ExactRiemann solution(kSodLeft, kSodRight, 1.4);
  Gas1D error{};
  tube.for_each([&](double x, const Gas1D& found) {
    const Gas1D exact = solution.along((x - 0.5) / 0.2);
    const double share = 1.0 / (volumes * std::pow(5.0, D - 1));
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
    const Gas1D found = sod_errors<2>(volumes, 0, false);
    EXPECT_NEAR(found.density, expected.density, 1e-4 * expected.density) << volumes;
    EXPECT_NEAR(found.velocity, expected.velocity, 1e-4 * expected.velocity) << volumes;
    EXPECT_NEAR(found.pressure, expected.pressure, 1e-4 * expected.pressure) << volumes;
  }
}

// A shock takes a few volumes instead of a number that grows: errors fall with the width, not with its
// square.
TEST(Sod, SecondOrderOnAHundredVolumesIsBetterThanFirstOrderOnFourHundred) {
  const Gas1D found = sod_errors<2>(100, 0, false, Limiter::mc);
  EXPECT_LT(found.density, 1.10312e-2);
  EXPECT_LT(found.velocity, 1.50661e-2);
  EXPECT_LT(found.pressure, 8.23003e-3);
  EXPECT_GT(std::log2(found.density / sod_errors<2>(200, 0, false, Limiter::mc).density), 0.8);
}

template <int D>
void expect_the_same_along_each_axis_and_reversed(std::optional<Limiter> limiter) {
  const Gas1D x = sod_errors<2>(100, 0, false, limiter);
  for (int axis = 0; axis < D; ++axis) {
    for (const bool is_reversed : {false, true}) {
      const Gas1D other = sod_errors<D>(100, axis, is_reversed, limiter);
      EXPECT_NEAR(other.density, x.density, 1e-13) << D << "-D, axis " << axis;
      EXPECT_NEAR(other.velocity, x.velocity, 1e-13) << D << "-D, axis " << axis;
      EXPECT_NEAR(other.pressure, x.pressure, 1e-13) << D << "-D, axis " << axis;
    }
  }
}

TEST(Sod, IsTheSameAlongEachAxisAndReversed) {
  for (const auto limiter : kSchemes) {
    expect_the_same_along_each_axis_and_reversed<2>(limiter);
    expect_the_same_along_each_axis_and_reversed<3>(limiter);
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

template <int D>
void expect_star_state(const StarCase& c, int volumes, int axis, bool is_reversed, double times_as_far,
                       std::optional<Limiter> limiter = {}) {
  const Tube<D> tube(c.left, c.right, volumes, axis, is_reversed, limiter);
  tube.simulation->run(*make_serial(), c.time, kNoLimit);
  Gas1D mean{};
  int count = 0;
  tube.for_each([&](double x, const Gas1D& found) {
    if (std::abs(x - 0.5 - c.velocity * c.time) > 4.0 / volumes) return;
    mean.velocity += found.velocity;
    mean.pressure += found.pressure;
    ++count;
  });
  ASSERT_GT(count, 0);
  const double p_scale = std::max({c.left.pressure, c.right.pressure, c.pressure});
  const double u_scale = std::max({1.0, std::abs(c.left.velocity), std::abs(c.velocity)});
  const double near = times_as_far * c.near;
  EXPECT_NEAR(mean.pressure / count, c.pressure, near * p_scale)
      << c.name << ", " << D << "-D, axis " << axis;
  EXPECT_NEAR(mean.velocity / count, c.velocity, near * u_scale)
      << c.name << ", " << D << "-D, axis " << axis;
}

TEST(StarStates, AreThoseOfTheExactSolutionAlongEachAxisAndReversed) {
  for (const StarCase& c : kStarCases) {
    for (const bool is_reversed : {false, true}) {
      for (const int axis : {0, 1}) expect_star_state<2>(c, 800, axis, is_reversed, 1.0);
      for (const int axis : {0, 1, 2}) expect_star_state<3>(c, 200, axis, is_reversed, 4.0);
    }
    expect_star_state<2>(c, 400, 0, false, 1.0, Limiter::mc);
    expect_star_state<3>(c, 100, 2, true, 4.0, Limiter::mc);
  }
}

}  // namespace
}  // namespace heddle::wave
