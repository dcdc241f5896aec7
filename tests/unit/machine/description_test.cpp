// The machine as HEDDLE_MACHINE describes it.
#include "description.hpp"

#include <gtest/gtest.h>

namespace heddle::machine {
namespace {

TEST(Description, DistancesFollowFromCachesAndSockets) {
  const Description machine = Description::parse("processors=8 caches=4 sockets=2");
  EXPECT_EQ(machine.between(3, 3), Distance::kOwn);
  EXPECT_EQ(machine.between(2, 3), Distance::kNear);
  EXPECT_EQ(machine.between(0, 3), Distance::kFar);
  EXPECT_EQ(machine.between(3, 4), Distance::kRemote);
}

TEST(Description, TimesAreNanoseconds) {
  const Description machine = Description::parse("near=62.5, wake=3000 computing=said");
  EXPECT_EQ(machine.access[static_cast<std::size_t>(Distance::kNear)], 62'500);
  EXPECT_EQ(machine.wake, 3'000'000);
  EXPECT_TRUE(machine.computes_as_said);
}

struct Refused {
  const char* text;
  const char* said;
};
class RefusedDescription : public testing::TestWithParam<Refused> {};

TEST_P(RefusedDescription, EndsWithStatus2AndSaysWhy) {
  EXPECT_EXIT(Description::parse(GetParam().text), testing::ExitedWithCode(2), GetParam().said);
}

INSTANTIATE_TEST_SUITE_P(
    All, RefusedDescription,
    testing::Values(Refused{"processors", "'processors' is not NAME=NUMBER"},
                    Refused{"processors=0", "it is a whole number from 1 to 256"},
                    Refused{"processors=1000", "it is a whole number from 1 to 256"},
                    Refused{"processors=2.5", "it is a whole number from 1 to 256"},
                    Refused{"processors=nan", "it is a whole number from 1 to 256"},
                    Refused{"near=-1", "it is a time in nanoseconds"},
                    Refused{"near=", "it is a time in nanoseconds"},
                    Refused{"near=inf", "it is a time in nanoseconds"},
                    Refused{"own=0", "an access takes time"},
                    Refused{"nearer=1", "there is no 'nearer'; there are .*near"},
                    Refused{"computing=no", "it is said or measured"},
                    Refused{"processors=8 caches=3", "processors is a multiple of caches"},
                    Refused{"processors=8 caches=2 sockets=4", "caches is a multiple of sockets"}));

}  // namespace
}  // namespace heddle::machine
