#include "graph/graph.hpp"

#include <gtest/gtest.h>

#include <random>

#include "graph/recorded_regions.hpp"
#include "replay/replay.hpp"

namespace heddle {
namespace {

// Executes the segments in a random order that the counters allow. Returns the tasks' numbers as they were
// executed.
std::vector<std::size_t> execute(Replay& instance, std::uint32_t seed) {
  std::mt19937 random(seed);
  MemoryCache cache;
  const Graph& graph = instance.graph();
  std::vector<Graph::SegmentIndex> ready;
  const auto release = [&](Graph::SegmentIndex s) {
    if (instance.release(s)) ready.push_back(s);
  };
  for (const Graph::SegmentIndex root : graph.roots()) release(root);
  std::vector<std::size_t> executed;
  while (!ready.empty()) {
    std::swap(ready[random() % ready.size()], ready.back());
    const Graph::SegmentIndex s = ready.back();
    ready.pop_back();
    Task& task = instance.make_task(s, cache);
    EXPECT_EQ(Replay::segment_of(task), s);
    cache.release(&task, task.bytes, cache);
    for (const GraphNode& node : graph.nodes_of(graph.segments()[s]))
      if (!node.is_join()) executed.push_back(reinterpret_cast<std::uintptr_t>(node.kind->code) - 1);
    for (const Graph::SegmentIndex next : graph.successors_of(s)) release(next);
  }
  return executed;
}

// Each once, and behind all that comes before it.
void expect_in_order(const std::vector<std::size_t>& executed, const test::Order& before,
                     std::uint32_t seed) {
  std::vector<bool> is_executed(before.size(), false);
  for (const std::size_t task : executed) {
    EXPECT_FALSE(is_executed[task]);
    is_executed[task] = true;
    for (std::size_t i = 0; i < task; ++i)
      EXPECT_TRUE(!before[task][i] || is_executed[i]) << "seed " << seed << ": " << i << " before " << task;
  }
}

TEST(Graph, ExecutesEveryTaskOnceAndInOrderAgainAndAgain) {
  for (std::uint32_t seed = 1; seed <= 60; ++seed) {
    const test::Region region = test::random_region(seed, 150, 1 + seed % 9);
    const test::Order before = test::order_by_the_standard(region);
    Recording recording;
    test::record(region, recording);
    const Graph graph(recording);
    EXPECT_EQ(graph.tasks(), before.size());
    Replay instance(graph);
    Task parent;
    for (std::uint32_t replay = 0; replay < 4; ++replay) {
      instance.begin(parent);
      EXPECT_EQ(parent.group, nullptr);
      const auto executed = execute(instance, seed + replay);
      EXPECT_EQ(executed.size(), before.size());
      expect_in_order(executed, before, seed);
    }
  }
}

TEST(Graph, ChainsAreSegments) {
  Recording recording;
  RecordedTask body;
  body.run = [](void*, void*) {};
  for (int i = 0; i < 1000; ++i) {
    const Dependence one{test::address_of(i % 2u), AccessKind::kOut, false};
    recording.add_task(body, {&one, 1}, Gate::kNo);
  }
  const Graph graph(recording);
  EXPECT_EQ(graph.roots().size(), 2u);
  EXPECT_EQ(graph.segments().size(), 2 * ((500 + limits::kLongestChain - 1) / limits::kLongestChain));
}

// One writer, its readers, the next writer: what waits for the same, and for what the same waits.
TEST(Graph, FansAreBundles) {
  Recording recording;
  RecordedTask body;
  body.run = [](void*, void*) {};
  const Dependence writes{test::address_of(0), AccessKind::kOut, false};
  const Dependence reads{test::address_of(0), AccessKind::kIn, false};
  for (int round = 0; round < 3; ++round) {
    recording.add_task(body, {&writes, 1}, Gate::kNo);
    for (int i = 0; i < 50; ++i) recording.add_task(body, {&reads, 1}, Gate::kNo);
  }
  const Graph graph(recording);
  EXPECT_EQ(graph.bundles(), 3u);
  ASSERT_EQ(graph.segments().size(), 6u);
  for (Graph::SegmentIndex s = 0; s < 6; ++s) {
    EXPECT_EQ(graph.segments()[s].is_bundle(), s % 2 == 1);
    EXPECT_EQ(graph.segments()[s].nodes, s % 2 == 1 ? 50u : 1u);
    EXPECT_EQ(graph.segments()[s].predecessors, s == 0 ? 0u : 1u);
    EXPECT_EQ(graph.successors_of(s).size(), s == 5 ? 0u : 1u);
  }
  EXPECT_EQ(Graph(recording, Bundles::kNone).segments().size(), 153u);
}

// Who waits for whom is the same at both ends of the lists, and differs within: many that cannot be told
// apart at first sight, and cost no more than others.
TEST(Graph, TasksThatSeemAlikeAreNoBundle) {
  Recording recording;
  RecordedTask body;
  body.run = [](void*, void*) {};
  constexpr std::uint32_t kTasks = 3000;
  // Four read each, so that any of them might be in a bundle.
  const Dependence first{test::address_of(0), AccessKind::kOut, false};
  const Dependence last{test::address_of(1), AccessKind::kOut, false};
  recording.add_task(body, {&first, 1}, Gate::kNo);
  for (std::uint32_t i = 0; i < kTasks; ++i) {
    const Dependence own{test::address_of(2 + i), AccessKind::kOut, false};
    recording.add_task(body, {&own, 1}, Gate::kNo);
  }
  recording.add_task(body, {&last, 1}, Gate::kNo);
  for (std::uint32_t i = 0; i < 4 * kTasks; ++i) {
    const Dependence reads[] = {{test::address_of(0), AccessKind::kIn, false},
                                {test::address_of(2 + i % kTasks), AccessKind::kIn, false},
                                {test::address_of(1), AccessKind::kIn, false}};
    recording.add_task(body, reads, Gate::kNo);
  }
  std::size_t nodes = 0;
  const Graph graph(recording);
  for (const GraphSegment& segment : graph.segments()) {
    nodes += segment.nodes;
    // The four that read the same, where they are found; and those that wait for nothing are alike nowhere.
    EXPECT_TRUE(segment.nodes == 1 || segment.nodes == 4) << segment.nodes;
  }
  EXPECT_EQ(nodes, 5 * kTasks + 2);
}

TEST(Graph, TasksWithoutDependencesAreOneBundleForEachPriority) {
  Recording recording;
  RecordedTask body;
  body.run = [](void*, void*) {};
  for (int i = 0; i < 100; ++i) {
    body.priority = i % 2;
    recording.add_task(body, {}, Gate::kNo);
  }
  const Graph graph(recording);
  ASSERT_EQ(graph.segments().size(), 2u);
  EXPECT_EQ(graph.segments()[0].priority, 0);
  EXPECT_EQ(graph.segments()[1].priority, 1);
  EXPECT_TRUE(graph.segments()[1].is_bundle());
  EXPECT_EQ(graph.roots().size(), 2u);
}

TEST(Graph, PrioritiesAreNotMixed) {
  Recording recording;
  const Dependence one{test::address_of(0), AccessKind::kOut, false};
  RecordedTask body;
  body.run = [](void*, void*) {};
  for (int i = 0; i < 6; ++i) {
    body.priority = i / 3;
    recording.add_task(body, {&one, 1}, Gate::kNo);
  }
  const Graph graph(recording);
  ASSERT_EQ(graph.segments().size(), 2u);
  EXPECT_EQ(graph.segments()[0].priority, 0);
  EXPECT_EQ(graph.segments()[1].priority, 1);
}

TEST(Graph, OfNothingIsEmpty) {
  Recording recording;
  recording.add_wait();
  const Graph graph(recording);
  EXPECT_TRUE(graph.segments().empty() && graph.roots().empty());
}

TEST(Replay, TasksAreChildrenOfWhoBeginsTheReplay) {
  Recording recording;
  RecordedTask body;
  body.run = [](void*, void*) {};
  recording.add_task(body, {}, Gate::kNo);
  const Graph graph(recording);
  Replay instance(graph);
  MemoryCache cache;
  Task parent, other;
  other.depth = 4;
  for (Task* const each : {&parent, &other}) {
    TaskGroup& group = instance.begin(*each);
    EXPECT_EQ(each->group, nullptr);
    ASSERT_TRUE(instance.release(0));
    Task& task = instance.make_task(0, cache);
    EXPECT_EQ(task.parent, each);
    EXPECT_EQ(task.depth, each->depth + 1);
    EXPECT_EQ(task.group, &group);
    EXPECT_TRUE(task.is_recorded());
    EXPECT_EQ(&Replay::of(task), &instance);
    cache.release(&task, task.bytes, cache);
  }
}

TEST(Replay, TasksMadeAheadAreThoseExecuted) {
  Recording recording;
  RecordedTask body;
  body.run = [](void*, void*) {};
  for (int i = 0; i < 3; ++i) recording.add_task(body, {}, Gate::kNo);
  const Graph graph(recording, Bundles::kNone);
  Replay instance(graph);
  MemoryCache cache;
  Task parent;
  instance.begin(parent);
  instance.make_tasks_ahead(cache);
  const std::vector<Task*> ahead(instance.tasks_ahead().begin(), instance.tasks_ahead().end());
  ASSERT_EQ(ahead.size(), 3u);
  for (Graph::SegmentIndex s = 0; s < 3; ++s) {
    EXPECT_TRUE(instance.release(s));
    EXPECT_EQ(&instance.make_task(s, cache), ahead[s]);
    cache.release(ahead[s], ahead[s]->bytes, cache);
  }
  instance.begin(parent);
  EXPECT_TRUE(instance.tasks_ahead().empty());
}

}  // namespace
}  // namespace heddle
