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

}  // namespace
}  // namespace heddle::amr
