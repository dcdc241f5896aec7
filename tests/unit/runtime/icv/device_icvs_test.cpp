#include "icv/icvs.hpp"

#include <gtest/gtest.h>

#include "icv/settings.hpp"

namespace heddle {
namespace {

TEST(DeviceIcvs, StartAsTheEnvironmentSaysAndBelongToAllThreads) {
  EXPECT_EQ(device_icvs().num_teams.load(), settings().num_teams);
  EXPECT_EQ(device_icvs().teams_thread_limit.load(), settings().teams_thread_limit);
  EXPECT_EQ(device_icvs().stack_bytes.load(), settings().stack_bytes);
  device_icvs().num_teams.store(3);
  EXPECT_EQ(device_icvs().num_teams.load(), 3);
  device_icvs().num_teams.store(settings().num_teams);
}

}  // namespace
}  // namespace heddle
