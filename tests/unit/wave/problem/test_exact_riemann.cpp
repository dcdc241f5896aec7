// Star states against values of an independent solver, and the solution against what it has to satisfy.
#include "wave/problem/exact_riemann.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

namespace heddle::wave {
namespace {

constexpr double kGamma = 1.4;

struct Case {
  GasState left, right;
  double pressure, velocity;
};

// Toro, section 4.3.3, tests 1 to 5.
constexpr std::array<Case, 5> kCases{{
    {{1, 0, 1}, {0.125, 0, 0.1}, 0.303130178051, 0.927452620049},
    {{1, -2, 0.4}, {1, 2, 0.4}, 0.001894, 0.0},
    {{1, 0, 1000}, {1, 0, 0.01}, 460.893787, 19.597451},
    {{1, 0, 0.01}, {1, 0, 100}, 46.095044, -6.196328},
    {{5.99924, 19.5975, 460.894}, {5.99242, -6.19633, 46.0950}, 1691.646955, 8.689774},
}};

TEST(ExactRiemann, StarStatesAreThoseOfAnIndependentSolver) {
  for (std::size_t n = 0; n < kCases.size(); ++n) {
    const Case& c = kCases[n];
    const ExactRiemann solution(c.left, c.right, kGamma);
    const double digits = n == 0 ? 1e-12 : 1e-6;
    EXPECT_NEAR(solution.star_pressure(), c.pressure, digits) << "toro" << n + 1;
    EXPECT_NEAR(solution.star_velocity(), c.velocity, digits) << "toro" << n + 1;
  }
}

TEST(ExactRiemann, SodsWavesStandWhereTheyShould) {
  const ExactRiemann sod(kCases[0].left, kCases[0].right, kGamma);
  EXPECT_NEAR(sod.along(0.9).density, 0.426319428178, 1e-12);
  EXPECT_NEAR(sod.along(0.95).density, 0.265573711705, 1e-12);
  EXPECT_EQ(sod.along(1.75215573204).density, 0.125);
  EXPECT_NE(sod.along(1.75215573202).density, 0.125);
  EXPECT_EQ(sod.along(-1.18321595663).density, 1.0);
  EXPECT_NE(sod.along(-1.18321595661).density, 1.0);
  EXPECT_NEAR(sod.along(-0.070272812562).density, sod.along(-0.070272812560).density, 1e-11);
}

TEST(ExactRiemann, AMirroredProblemHasTheMirroredSolution) {
  for (const Case& c : kCases) {
    const ExactRiemann solution(c.left, c.right, kGamma);
    const ExactRiemann mirrored({c.right.density, -c.right.velocity, c.right.pressure},
                                {c.left.density, -c.left.velocity, c.left.pressure}, kGamma);
    for (double speed = -40.0; speed < 40.0; speed += 0.37) {
      const GasState a = solution.along(speed), b = mirrored.along(-speed);
      EXPECT_NEAR(a.density, b.density, 1e-9 * a.density);
      EXPECT_NEAR(a.velocity, -b.velocity, 1e-9 * (1 + std::abs(a.velocity)));
      EXPECT_NEAR(a.pressure, b.pressure, 1e-9 * a.pressure);
    }
  }
}

// What flows into any ray must be what the integral of the state over x changes by (Rankine and Hugoniot, and
// the fans, at once): d/dt of the mass between -s and s is the difference of fluxes.
TEST(ExactRiemann, MassIsConserved) {
  for (const Case& c : kCases) {
    const ExactRiemann solution(c.left, c.right, kGamma);
    const double s = 60.0;
    const int n = 2000000;
    double mass = 0.0;
    for (int i = 0; i < n; ++i) mass += solution.along(-s + (i + 0.5) * 2 * s / n).density * 2 * s / n;
    const double expected = s * (c.left.density + c.right.density) + c.left.density * c.left.velocity -
                            c.right.density * c.right.velocity;
    EXPECT_NEAR(mass, expected, 2e-4 * expected);
  }
}

TEST(ExactRiemann, KnowsWhereAVacuumIsLeft) {
  EXPECT_TRUE(ExactRiemann::creates_vacuum({1, -10, 0.4}, {1, 10, 0.4}, kGamma));
  EXPECT_FALSE(ExactRiemann::creates_vacuum({1, -2, 0.4}, {1, 2, 0.4}, kGamma));
}

}  // namespace
}  // namespace heddle::wave
