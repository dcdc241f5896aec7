#include "amr/field/initial_values.hpp"

#include <gtest/gtest.h>

#include <cstdint>

namespace heddle::amr {
namespace {

TEST(RandomStream, StartsAsTheUnseededGnuGeneratorDoes) {
  RandomStream stream;
  for (const std::uint32_t expected : {1804289383U, 846930886U, 1681692777U, 1714636915U, 1957747793U}) {
    EXPECT_EQ(stream.next(), expected);
  }
}

TEST(RandomStream, MixtureConstantsTakeOneDrawAndAQuarterOfTheVariables) {
  RandomStream stream;
  const MixtureConstants constants = draw_mixture_constants(stream, 10);
  EXPECT_EQ(constants.a1, 1804289383.0 / 2147483647.0);
  EXPECT_EQ(constants.a0.size(), 2U);
  EXPECT_EQ(stream.next(), 1714636915U);
}

TEST(BlockStream, GivesABlockTheSameNumbersWhoeverAsks) {
  BlockStream one(17), again(17), other(18);
  double sum = 0.0;
  int equal = 0;
  for (int n = 0; n < 1000; ++n) {
    const double value = one.next_fraction();
    EXPECT_EQ(value, again.next_fraction());
    equal += value == other.next_fraction() ? 1 : 0;
    EXPECT_TRUE(0.0 <= value && value < 1.0);
    sum += value;
  }
  EXPECT_EQ(equal, 0);
  EXPECT_NEAR(sum / 1000, 0.5, 0.05);
}

}  // namespace
}  // namespace heddle::amr
