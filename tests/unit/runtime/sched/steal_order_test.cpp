#include "sched/ready_set.hpp"

#include <gtest/gtest.h>

namespace heddle {
namespace {

using Order = std::vector<std::uint16_t>;

// Two sockets of one NUMA domain and two caches each, two cores to a cache, one worker a core.
std::vector<Location> eight_cores() {
  std::vector<Location> result;
  for (std::int16_t core = 0; core < 8; ++core) {
    const auto socket = static_cast<std::int16_t>(core / 4);
    result.push_back({socket, socket, static_cast<std::int16_t>(core / 2), core});
  }
  return result;
}

TEST(StealOrder, DistanceCountsTheLevelsThatAreNotShared) {
  const auto cores = eight_cores();
  EXPECT_EQ(distance(cores[2], cores[2]), 0);
  EXPECT_EQ(distance(cores[2], cores[3]), 1);
  EXPECT_EQ(distance(cores[2], cores[1]), 2);
  EXPECT_EQ(distance(cores[2], cores[6]), 4);
}

TEST(StealOrder, NearOnesComeFirstAndEquallyNearOnesAfterOneself) {
  const auto cores = eight_cores();
  EXPECT_EQ(steal_order(2, 8, cores), (Order{3, 0, 1, 4, 5, 6, 7}));
  EXPECT_EQ(steal_order(5, 8, cores), (Order{4, 6, 7, 0, 1, 2, 3}));
}

TEST(StealOrder, WithoutLocationsForAllItIsByNumber) {
  EXPECT_EQ(steal_order(1, 4, {}), (Order{2, 3, 0}));
  const auto cores = eight_cores();
  EXPECT_EQ(steal_order(1, 10, cores).front(), 2);
  EXPECT_EQ(steal_order(1, 10, cores).size(), 9u);
  EXPECT_TRUE(steal_order(0, 1, {}).empty());
}

}  // namespace
}  // namespace heddle
