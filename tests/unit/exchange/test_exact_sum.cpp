#include "exchange/exact_sum.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "tests/support/seed.hpp"

namespace heddle::exchange {
namespace {

double sum_of(const std::vector<double>& terms) {
  ExactSum sum;
  for (const double term : terms) sum.add(term);
  return sum.value();
}

constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST(ExactSum, LosesNothingToCancellation) {
  EXPECT_EQ(sum_of({1e308, 1.0, -1e308}), 1.0);
  EXPECT_EQ(sum_of({1e308, 1e308, -1e308, -1e308, 5e-324}), 5e-324);
  EXPECT_EQ(sum_of({0x1p-1074, 0x1p1000, 0x1p-1074, -0x1p1000}), 0x1p-1073);
  EXPECT_EQ(sum_of({-3.0, 1.0}), -2.0);
  EXPECT_EQ(sum_of({}), 0.0);
}

TEST(ExactSum, RoundsToNearestAndTiesToEven) {
  EXPECT_EQ(sum_of({1.0, 0x1p-53}), 1.0);
  EXPECT_EQ(sum_of({1.0, 0x1p-53, 0x1p-1074}), 1.0 + 0x1p-52);
  EXPECT_EQ(sum_of({1.0 + 0x1p-52, 0x1p-53}), 1.0 + 0x1p-51);
  EXPECT_EQ(sum_of({-1.0, -0x1p-53}), -1.0);
  EXPECT_EQ(sum_of({-1.0, -0x1p-53, -0x1p-60}), -1.0 - 0x1p-52);
  EXPECT_EQ(sum_of({0x1.fffffffffffffp+1023, 0x1p+970}), kInfinity);
}

TEST(ExactSum, HandsOnWhatIsNoNumber) {
  EXPECT_EQ(sum_of({1.0, kInfinity}), kInfinity);
  EXPECT_EQ(sum_of({-kInfinity, 1.0}), -kInfinity);
  EXPECT_TRUE(std::isnan(sum_of({kInfinity, -kInfinity})));
  EXPECT_TRUE(std::isnan(sum_of({1.0, std::nan("")})));
}

// Multiples of 2^-40 that add up in 64 bits are summed exactly as integers.
TEST(ExactSum, IsTheSumOfIntegers) {
  std::mt19937_64 random(7);
  for (int round = 0; round < 200; ++round) {
    ExactSum sum;
    std::int64_t exact = 0;
    for (int n = 0; n < 500; ++n) {
      const auto term = static_cast<std::int64_t>(random() >> 12) - (std::int64_t{1} << 51);
      exact += term;
      sum.add(std::ldexp(static_cast<double>(term), -40));
    }
    EXPECT_EQ(sum.value(), std::ldexp(static_cast<double>(exact), -40));
  }
}

TEST(ExactSum, DoesNotDependOnOrderOrOnWhoAddsWhat) {
  SeededRandom<std::mt19937_64> random;
  std::vector<double> terms;
  for (int n = 0; n < 3000; ++n) {
    const double mantissa = std::uniform_real_distribution(-1.0, 1.0)(random);
    terms.push_back(std::ldexp(mantissa, std::uniform_int_distribution(-1080, 900)(random)));
  }
  for (int n = 0; n < 2990; ++n) terms.push_back(-terms[static_cast<std::size_t>(n)]);
  const double expected = sum_of(terms);
  for (int round = 0; round < 20; ++round) {
    std::shuffle(terms.begin(), terms.end(), random);
    EXPECT_EQ(sum_of(terms), expected);
    ExactSum parts[3], whole;
    for (std::size_t n = 0; n < terms.size(); ++n) parts[n % 3].add(terms[n]);
    for (const ExactSum& part : parts) {
      for (int w = 0; w < ExactSum::kWords; ++w) whole.words()[w] += part.words()[w];
    }
    EXPECT_EQ(whole.value(), expected);
  }
}

}  // namespace
}  // namespace heddle::exchange
