// An equation with a source, in both schemes: a quantity that is carried along and decays.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/unit/wave/exec/cases.hpp"

namespace heddle::wave {
namespace {

struct Decay {
  static constexpr int kUnknowns = 1;
  static constexpr std::array<const char*, 1> kNames{"quantity"};
  template <Number T>
  using Unknowns = std::array<T, 1>;

  template <Number T>
  T flux(const Unknowns<T>& q, int axis, Unknowns<T>& f) const {
    f[0] = (axis == 0 ? 1.0 : 0.5) * q[0];
    return T{} + 1.0;
  }
  [[nodiscard]] State<Decay> mirrored(const State<Decay>& q, int) const { return q; }
  [[nodiscard]] State<Decay> source(const State<Decay>& q) const { return {-2.0 * q[0]}; }
};

/// Of what is left after time 1, relative; on a mesh of two levels.
double error(int volumes, std::optional<Limiter> limiter) {
  Problem<Decay, 2> problem;
  problem.is_periodic.fill(true);
  problem.initial = [](const Position<2>&) { return State<Decay>{1.0}; };
  MeshSettings<2> mesh;
  mesh.roots.fill(2);
  mesh.volumes = volumes;
  mesh.deepest_level = 1;
  mesh.limiter = limiter;
  Simulation<Decay, 2, 2> simulation(problem, mesh, 1, alone(), moving_ball<2>());
  simulation.run(*make_serial(), 1.0, kNoLimit);
  return std::abs(simulation.integrals()[0].value / std::exp(-2.0) - 1.0);
}

TEST(Sources, AreOfTheOrderOfTheScheme) {
  const double first = error(4, {}) / error(8, {});
  EXPECT_NEAR(first, 2.0, 0.2);
  const double second = error(4, Limiter::mc) / error(8, Limiter::mc);
  EXPECT_NEAR(second, 4.0, 0.4);
}

}  // namespace
}  // namespace heddle::wave
