#include "amr/kernel/divide.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace heddle::amr {
namespace {

template <int kDivisor>
int disagreements(double x) {
  volatile double divisor = kDivisor;
  const double expected = x / divisor;
  return std::bit_cast<std::uint64_t>(divided_by<kDivisor>(x)) != std::bit_cast<std::uint64_t>(expected) ? 1
                                                                                                         : 0;
}

/// xorshift64*: any generator with all mantissa bits will do.
std::uint64_t next_bits(std::uint64_t& state) {
  state ^= state >> 12;
  state ^= state << 25;
  state ^= state >> 27;
  return state * 0x2545F4914F6CDD1DU;
}

TEST(DividedBy, IsTheIeeeQuotientForTwelveMillionRandomNumbers) {
  std::uint64_t state = 20;
  int wrong = 0;
  for (int n = 0; n < 12'000'000; ++n) {
    const std::uint64_t bits = next_bits(state);
    const double mantissa = std::bit_cast<double>((bits & 0x000FFFFFFFFFFFFFU) | 0x3FF0000000000000U);
    const int exponent = static_cast<int>(next_bits(state) % 1980) - 960;
    const double x = std::ldexp((bits >> 63) != 0 ? -mantissa : mantissa, exponent);
    wrong += disagreements<7>(x) + disagreements<27>(x);
  }
  EXPECT_EQ(wrong, 0);
}

TEST(DividedBy, IsTheIeeeQuotientAtEdgeMantissas) {
  int wrong = 0;
  for (int exponent = -960; exponent <= 1020; exponent += 3) {
    const double one = std::ldexp(1.0, exponent);
    double up = one;
    double down = std::ldexp(1.0, exponent + 1);
    for (int n = 0; n < 500; ++n) {
      wrong +=
          disagreements<7>(up) + disagreements<27>(up) + disagreements<7>(down) + disagreements<27>(down);
      up = std::nextafter(up, std::numeric_limits<double>::infinity());
      down = std::nextafter(down, 0.0);
    }
  }
  EXPECT_EQ(wrong, 0);
}

TEST(DividedBy, IsExactForMultiplesAndZero) {
  int wrong = disagreements<7>(0.0) + disagreements<27>(0.0);
  for (int n = 1; n < 100'000; ++n)
    wrong +=
        disagreements<7>(7.0 * n) + disagreements<27>(27.0 * n) + disagreements<7>(n) + disagreements<27>(n);
  EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace heddle::amr
