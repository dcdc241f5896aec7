#include "graph/recording.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "graph/recorded_regions.hpp"

namespace heddle {
namespace {

TEST(Recording, OrdersWhatTheStandardOrdersAndNothingElse) {
  for (std::uint32_t seed = 1; seed <= 200; ++seed) {
    const test::Region region = test::random_region(seed, 120, 1 + seed % 9);
    Recording recording;
    test::record(region, recording);
    EXPECT_EQ(test::order_of_tasks(recording), test::order_by_the_standard(region)) << "seed " << seed;
  }
}

TEST(Recording, EdgesLeadUpwardsAndStandOnce) {
  const test::Region region = test::random_region(5, 500, 6);
  Recording recording;
  test::record(region, recording);
  const auto& nodes = recording.nodes();
  for (NodeIndex i = 0; i < nodes.size(); ++i) {
    const auto predecessors = recording.predecessors_of(i);
    EXPECT_TRUE(std::is_sorted(predecessors.begin(), predecessors.end(), std::less_equal<>())) << i;
    EXPECT_TRUE(predecessors.empty() || predecessors.back() < i);
  }
}

// 1000 readers, then 1000 that share: a join in between, not a million edges.
TEST(Recording, LargeSetsAreJoined) {
  Recording recording;
  const Dependence reads{test::address_of(0), AccessKind::kIn, false};
  const Dependence shares{test::address_of(0), AccessKind::kInOutSet, false};
  RecordedTask body;
  body.run = [](void*, void*) {};
  for (int i = 0; i < 1000; ++i) recording.add_task(body, {&reads, 1}, Gate::kNo);
  for (int i = 0; i < 1000; ++i) recording.add_task(body, {&shares, 1}, Gate::kNo);
  EXPECT_EQ(recording.nodes().size(), 2001u);
  std::size_t edges = 0;
  for (NodeIndex i = 0; i < 2001; ++i) edges += recording.predecessors_of(i).size();
  EXPECT_LE(edges, 3000u);
}

}  // namespace
}  // namespace heddle
