#include "graph/recording.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "graph/graph.hpp"
#include "graph/recorded_regions.hpp"

namespace heddle {
namespace {

using test::Order;

// What the recorded edges order, joins left out.
Order order_of_tasks(const Recording& recording) {
  const auto& nodes = recording.nodes();
  Order all(nodes.size(), std::vector<bool>(nodes.size(), false));
  for (NodeIndex i = 0; i < nodes.size(); ++i)
    for (const NodeIndex p : recording.predecessors_of(i)) all[i][p] = true;
  test::close_transitively(all);
  std::vector<std::size_t> tasks;
  for (std::size_t i = 0; i < nodes.size(); ++i)
    if (nodes[i].run != nullptr) tasks.push_back(i);
  Order order(tasks.size(), std::vector<bool>(tasks.size(), false));
  for (std::size_t j = 0; j < tasks.size(); ++j)
    for (std::size_t i = 0; i < j; ++i) order[j][i] = all[tasks[j]][tasks[i]];
  return order;
}

TEST(Recording, OrdersWhatTheStandardOrdersAndNothingElse) {
  for (std::uint32_t seed = 1; seed <= 200; ++seed) {
    const test::Region region = test::random_region(seed, 120, 1 + seed % 9);
    Recording recording;
    test::record(region, recording);
    EXPECT_EQ(order_of_tasks(recording), test::order_by_the_standard(region)) << "seed " << seed;
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
  TaskBody body;
  body.run = [](void*, void*) {};
  for (int i = 0; i < 1000; ++i) recording.add_task(body, {&reads, 1}, Recording::Gate::kNo);
  for (int i = 0; i < 1000; ++i) recording.add_task(body, {&shares, 1}, Recording::Gate::kNo);
  EXPECT_EQ(recording.nodes().size(), 2001u);
  EXPECT_LE(recording.edges(), 3000u);
}

TEST(Recording, KeepsTheDataAsItWas) {
  struct alignas(64) Data {
    Data* self;
    int value;
  };
  Data data{&data, 7};
  Recording recording;
  TaskBody body;
  body.run = [](void*, void*) {};
  body.data = &data;
  body.bytes = sizeof data;
  body.alignment = alignof(Data);
  body.copy = [](void* to, void* from) {
    *static_cast<Data*>(to) = {static_cast<Data*>(to), static_cast<Data*>(from)->value};
  };
  recording.add_task(body, {}, Recording::Gate::kNo);
  data.value = 8;
  const RecordedNode& node = recording.nodes()[0];
  const auto* const image = static_cast<const Data*>(node.image());
  EXPECT_EQ(image->value, 7);
  EXPECT_EQ(static_cast<void*>(image->self), node.data) << "its own address is that of what the body gets";
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(node.data) % alignof(Data), 0u);
}

// An object of the record: the number counts those that exist.
TEST(Recording, DestroysWhatItCopied) {
  for (const bool is_executed : {true, false}) {
    int alive = 1;
    {
      int* original = &alive;
      TaskBody body;
      body.run = [](void*, void* data) { ++**static_cast<int**>(data); };
      body.data = &original;
      body.bytes = sizeof original;
      body.keeps_data = true;
      body.copy = [](void* to, void* from) { ++**static_cast<int**>(std::memcpy(to, from, sizeof(int*))); };
      body.destroy = [](void* data) { *(*static_cast<int**>(data)) -= 100; };
      Recording recording;
      recording.add_task(body, {}, Recording::Gate::kNo);
      EXPECT_EQ(alive, 2);
      EXPECT_EQ(recording.nodes()[0].bytes, 0u) << "there is no image";
      if (is_executed) {
        const Graph graph(recording);
        for (const GraphNode& node : graph.nodes()) node.execute();
        EXPECT_EQ(alive, 3);
      }
    }
    EXPECT_EQ(alive, is_executed ? -97 : -98);
  }
}

}  // namespace
}  // namespace heddle
