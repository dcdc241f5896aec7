// Executions of a graph that overlap, in every order that their counters allow.
#include <gtest/gtest.h>

#include <memory>
#include <random>

#include "graph/recorded_regions.hpp"
#include "replay/replay.hpp"

namespace heddle {
namespace {

// A ring of instances whose segments are executed one at a time, in a random order.
class Overlapping {
 public:
  Overlapping(const Graph& graph, std::size_t instances, std::uint32_t seed) : graph_(graph), random_(seed) {
    for (std::size_t i = 0; i < instances; ++i)
      instances_.push_back({std::make_unique<Replay>(graph, i == 0), 0, 0});
    for (std::size_t i = 0; i < instances; ++i)
      instances_[i].instance->join(ring_, *instances_[(i + 1) % instances].instance);
  }

  // The tasks' numbers, those of the second execution above those of the first, and so on.
  std::vector<std::size_t> execute(std::size_t times) {
    std::size_t begun = 0;
    while (begun < times || !ready_.empty()) {
      const std::size_t next = begun % instances_.size();
      const bool may_begin = begun < times && instances_[next].left == 0;
      if (ready_.empty() && !may_begin) {
        ADD_FAILURE() << "everything waits";
        return executed_;
      }
      if (may_begin && (ready_.empty() || random_() % 8 == 0))
        begin(next, begun++);
      else
        execute_one();
    }
    return executed_;
  }
  bool has_overlapped() const { return has_overlapped_; }

 private:
  struct Turn {
    std::unique_ptr<Replay> instance;
    std::size_t left, execution;
  };
  struct Ready {
    std::size_t at;
    Graph::SegmentIndex segment;
  };

  void release(std::size_t at, Graph::SegmentIndex segment) {
    if (instances_[at].instance->release(segment)) ready_.push_back({at, segment});
  }

  void begin(std::size_t at, std::size_t execution) {
    for (const Turn& turn : instances_) has_overlapped_ |= turn.left > 0;
    instances_[at].left = graph_.segments().size();
    instances_[at].execution = execution;
    instances_[at].instance->begin(parent_);
    for (const Graph::SegmentIndex root : graph_.roots()) release(at, root);
  }

  void execute_one() {
    std::swap(ready_[random_() % ready_.size()], ready_.back());
    const auto [at, s] = ready_.back();
    ready_.pop_back();
    Turn& turn = instances_[at];
    Task& task = turn.instance->make_task(s, cache_);
    cache_.release(&task, task.bytes, cache_);
    for (const GraphNode& node : graph_.nodes_of(graph_.segments()[s]))
      if (!node.is_join())
        executed_.push_back(turn.execution * graph_.tasks() +
                            reinterpret_cast<std::uintptr_t>(node.kind->code) - 1);
    for (const Graph::SegmentIndex next : graph_.successors_of(s)) release(at, next);
    EXPECT_EQ(turn.instance->end(s), s + 1 == graph_.segments().size());
    for (const Graph::SegmentIndex next : graph_.carried_from(s)) release((at + 1) % instances_.size(), next);
    --turn.left;
  }

  const Graph& graph_;
  MemoryCache cache_;
  Task parent_;
  std::mt19937 random_;
  std::vector<Turn> instances_;
  GraphRing<> ring_;
  std::vector<Ready> ready_;
  std::vector<std::size_t> executed_;
  bool has_overlapped_ = false;
};

TEST(OverlappingGraph, KeepsTheOrderOfTheStandardFromOneExecutionToTheNext) {
  int overlapped = 0;
  for (std::uint32_t seed = 1; seed <= 150; ++seed) {
    const test::Region region = test::without_gates(test::random_region(seed, 30, 1 + seed % 12));
    constexpr std::size_t kTimes = 6;
    const test::Order before = test::order_by_the_standard(test::repeated(region, kTimes));
    Recording recording(true);
    test::record(region, recording);
    const Graph graph(recording);
    if (!graph.overlaps()) continue;
    for (std::size_t instances = 2; instances <= 4; ++instances) {
      Overlapping executions(graph, instances, seed);
      const std::vector<std::size_t> executed = executions.execute(kTimes);
      ASSERT_EQ(executed.size(), before.size());
      overlapped += executions.has_overlapped() ? 1 : 0;
      std::vector<bool> is_executed(before.size(), false);
      for (const std::size_t task : executed) {
        EXPECT_FALSE(is_executed[task]);
        is_executed[task] = true;
        for (std::size_t i = 0; i < task; ++i)
          ASSERT_TRUE(!before[task][i] || is_executed[i])
              << "seed " << seed << ": " << i << " before " << task;
      }
    }
  }
  EXPECT_GT(overlapped, 300);
}

// A node has one copy of its data.
TEST(OverlappingGraph, ATaskWithDataWaitsForItself) {
  for (std::uint32_t seed = 1; seed <= 60; ++seed) {
    const test::Region region = test::without_gates(test::random_region(seed, 30, 12));
    Recording recording(true);
    test::record(region, recording, 8);
    const Graph graph(recording);
    if (!graph.overlaps()) continue;
    Overlapping executions(graph, 3, seed);
    std::vector<std::size_t> times(graph.tasks(), 0);
    for (const std::size_t task : executions.execute(6))
      EXPECT_EQ(task / graph.tasks(), times[task % graph.tasks()]++);
  }
}

TEST(OverlappingGraph, DoesNotOverlapWhereItsCodeWaits) {
  Recording recording(true);
  RecordedTask body;
  body.run = [](void*, void*) {};
  recording.add_task(body, {}, Gate::kNo);
  recording.add_wait();
  recording.add_task(body, {}, Gate::kNo);
  EXPECT_FALSE(Graph(recording).overlaps());
}

constexpr std::uint32_t kSide = 8;

// Each execution follows the one before it at a distance of two steps.
void record_wavefront(Recording& recording) {
  RecordedTask body;
  body.run = [](void*, void*) {};
  for (std::uint32_t i = 0; i < kSide; ++i) {
    for (std::uint32_t j = 0; j < kSide; ++j) {
      std::vector<Dependence> dependences{{test::address_of(i * kSide + j), AccessKind::kOut, false}};
      const auto read = [&](std::uint32_t at) {
        dependences.push_back({test::address_of(at), AccessKind::kIn, false});
      };
      if (i > 0) read((i - 1) * kSide + j);
      if (j > 0) read(i * kSide + j - 1);
      recording.add_task(body, dependences, Gate::kNo);
    }
  }
}

TEST(OverlappingGraph, CarriesEdgesOnlyWhereTasksAccessTheSame) {
  Recording recording(true);
  record_wavefront(recording);
  const Graph graph(recording);
  ASSERT_TRUE(graph.overlaps());
  EXPECT_EQ(graph.roots().size(), 1u);
  // Who wrote a block last and who has read it since: itself where nobody has.
  EXPECT_EQ(graph.carried(), 2 * kSide * (kSide - 1) + 1);
}

TEST(OverlappingGraph, LagsBehindOlderExecutionsUntilTheirLastSegmentHasEnded) {
  Recording recording(true);
  record_wavefront(recording);
  const Graph graph(recording);
  const auto last = static_cast<Graph::SegmentIndex>(graph.segments().size() - 1);
  GraphRing<> ring;
  Replay first(graph), second(graph, false);
  first.join(ring, second);
  second.join(ring, first);
  Task parent;
  first.begin(parent);
  EXPECT_EQ(first.iteration_distance(), 0);
  second.begin(parent);
  EXPECT_EQ(second.iteration_distance(), 1);
  EXPECT_FALSE(first.end(0));
  EXPECT_EQ(second.iteration_distance(), 1);
  EXPECT_TRUE(first.end(last));
  EXPECT_EQ(second.iteration_distance(), 0);
  first.begin(parent);
  EXPECT_EQ(first.iteration_distance(), 1);

  Replay alone(graph);
  alone.begin(parent);
  EXPECT_EQ(alone.iteration_distance(), 0);
  EXPECT_FALSE(alone.end(last));
}

}  // namespace
}  // namespace heddle
