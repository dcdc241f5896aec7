// One patch at a time.
#include "wave/flux/rusanov.hpp"

#include <gtest/gtest.h>

#include "tests/support/seed.hpp"
#include "tests/unit/wave/flux/random_gas.hpp"

namespace heddle::wave {
namespace {

/// Returns the largest eigenvalue of `next`.
template <Equation E, int D>
double advance(RusanovStep<E, D> step, const std::vector<double>& q, std::vector<double>& next, double dt,
               double dx, const GivenFluxes<D>& given = {}) {
  step.find_residual(q.data(), next.data(), dx, given);
  return step.update(q.data(), next.data(), next.data(), dt, dx);
}

// The same with one loop over volumes, as the book has it.
template <int D>
void expect_as_written_down() {
  SeededRandom random;
  const Euler<D> gas;
  const PatchShape<D> shape(kVolumes);
  const auto q = random_gas<D>(shape, random);
  std::vector<double> next = q;
  advance(RusanovStep<Euler<D>, D>(gas, shape), q, next, 0.01, 0.1);
  const auto state = [&](const std::vector<double>& values, std::ptrdiff_t at) {
    return state_at(shape, values, at);
  };
  for_each_volume<D>(kVolumes, [&](const std::array<int, D>& volume) {
    const std::ptrdiff_t at = shape.at(volume);
    auto expected = state(q, at);
    State<Euler<D>> residual{};
    for (int axis = 0; axis < D; ++axis) {
      const std::ptrdiff_t up = shape.stride(axis);
      const auto low = rusanov(gas, state(q, at - up), state(q, at), axis);
      const auto high = rusanov(gas, state(q, at), state(q, at + up), axis);
      for (int v = 0; v < D + 2; ++v) residual[v] += high[v] - low[v];
    }
    for (int v = 0; v < D + 2; ++v) expected[v] -= 0.01 / 0.1 * residual[v];
    EXPECT_EQ(state(next, at), expected);
  });
}

TEST(RusanovStep, IsWhatTheFormulaSaysVolumeByVolumeToTheBit) {
  expect_as_written_down<2>();
  expect_as_written_down<3>();
}

TEST(RusanovStep, AConstantStateStaysToTheBit) {
  const Euler<3> gas;
  const PatchShape<3> shape(kVolumes);
  const auto state = gas.conserved(1.1, {0.3, -0.7, 0.9}, 0.37);
  std::vector<double> q(shape.size(5));
  for (int v = 0; v < 5; ++v) std::fill_n(q.begin() + v * shape.plane(), shape.plane(), state[v]);
  std::vector<double> next = q;
  const double fastest = advance(RusanovStep<Euler<3>, 3>(gas, shape), q, next, 0.013, 0.1);
  EXPECT_EQ(next, q);
  EXPECT_DOUBLE_EQ(fastest, 0.9 + std::sqrt(1.4 * 0.37 / 1.1));
}

TEST(RusanovStep, GivenFluxesStandInForThoseOfAFace) {
  SeededRandom random;
  const Euler<3> gas;
  const PatchShape<3> shape(kVolumes);
  const auto q = random_gas<3>(shape, random);
  RusanovStep<Euler<3>, 3> step(gas, shape);
  std::vector<double> plain = q;
  advance(step, q, plain, 0.01, 0.1);
  for (int face = 0; face < 6; ++face) {
    const int axis = face / 2, inner = face % 2 == 0 ? 0 : kVolumes - 1;
    // Its own fluxes, and 1 more in one unknown: what differs says which volumes it reached.
    std::vector<double> flux(static_cast<std::size_t>(shape.face_volumes()) * 5);
    int n = 0;
    for_each_volume<2>(kVolumes, [&](const std::array<int, 2>& t) {
      std::array<int, 3> volume{};
      for (int d = 0, k = 0; d < 3; ++d) volume[d] = d == axis ? inner : t[k++];
      const std::ptrdiff_t at = shape.at(volume), up = shape.stride(axis);
      State<Euler<3>> low, high;
      for (int v = 0; v < 5; ++v) {
        low[v] = q[static_cast<std::size_t>(at + v * shape.plane() - (face % 2 == 0 ? up : 0))];
        high[v] = q[static_cast<std::size_t>(at + v * shape.plane() + (face % 2 == 0 ? 0 : up))];
      }
      const auto own = rusanov(gas, low, high, axis);
      for (int v = 0; v < 5; ++v) flux[static_cast<std::size_t>(n + v * shape.face_volumes())] = own[v];
      ++n;
    });
    GivenFluxes<3> given{};
    given[static_cast<std::size_t>(face)] = flux.data();
    std::vector<double> next = q;
    advance(step, q, next, 0.01, 0.1, given);
    EXPECT_EQ(next, plain) << "face " << face;
    flux[static_cast<std::size_t>(3 + 2 * kVolumes)] += 1.0;  // transverse volume (3, 2)
    advance(step, q, next, 0.01, 0.1, given);
    int changed = 0;
    for (std::size_t i = 0; i < next.size(); ++i) changed += next[i] != plain[i] ? 1 : 0;
    EXPECT_EQ(changed, 1) << "face " << face;
    std::array<int, 3> volume{};
    for (int d = 0, k = 0; d < 3; ++d) volume[d] = d == axis ? inner : (k++ == 0 ? 3 : 2);
    EXPECT_NE(next[static_cast<std::size_t>(shape.at(volume))],
              plain[static_cast<std::size_t>(shape.at(volume))]);
  }
}

}  // namespace
}  // namespace heddle::wave
