// Every interleaving of the two threads that meet at a successor list: the parent's, which pushes edges and
// abandons the task, and the one that completes it.
#include <gtest/gtest.h>

#include <memory>

#include "support/explore.hpp"
#include "task/successor_list.hpp"
#include "task/task.hpp"

namespace heddle {
namespace {

using test::expect_every_schedule_ends;
using test::ExploredAtomic;
using test::Explorer;
using List = SuccessorList<ExploredAtomic>;

constexpr int kMostPushes = 5;  // two more than are direct

struct Shared {
  List list;
  Task successors[kMostPushes];
  alignas(sizeof(Edge)) Edge edges[kMostPushes];
  bool is_pushed[kMostPushes] = {};
  int released[kMostPushes] = {};
  int freed = 0;  // times that either side found the task's memory to be its own to free
  bool is_held = false;
};

struct OneEdge {
  Edge& edge;
  Edge& next() const { return edge; }
  bool has(const Edge& other) const { return &other == &edge; }
};

Explorer::Result explore(int pushes, List::Closing how) {
  return Explorer::run([=] {
    auto shared = std::make_shared<Shared>();
    Explorer::Scenario scenario;
    scenario.threads.emplace_back([=] {
      for (int i = 0; i < pushes; ++i) {
        const OneEdge edges{shared->edges[i]};
        shared->is_pushed[i] = shared->list.push(shared->successors[i], edges);
        EXPECT_FALSE(shared->list.push(shared->successors[i], edges)) << "once is enough";
      }
      const auto end = shared->list.abandon();
      shared->freed += end == List::Abandoned::kFreed ? 1 : 0;
      shared->is_held = end == List::Abandoned::kHeld;
    });
    scenario.threads.emplace_back([=] {
      const auto closed = shared->list.close(how);
      const auto release = [&](Task* successor) { ++shared->released[successor - shared->successors]; };
      for (std::uint32_t i = 0; i < closed.directs; ++i) release(closed.direct[i]);
      for (Edge* edge = closed.edges; edge != nullptr; edge = edge->next) release(edge->successor);
      shared->freed += closed.was_abandoned ? 1 : 0;
    });
    scenario.at_end = [=] {
      for (int i = 0; i < pushes; ++i) EXPECT_EQ(shared->released[i], shared->is_pushed[i] ? 1 : 0);
      EXPECT_TRUE(shared->list.is_closed());
      EXPECT_EQ(shared->freed + (shared->is_held ? 1 : 0), 1);
      EXPECT_EQ(shared->is_held && how == List::Closing::kLeaves, false);
    };
    return scenario;
  });
}

TEST(SuccessorListInterleavings, AnEdgeIsRefusedOrReleasedOnceAndOneSideFrees) {
  const auto result = explore(kMostPushes, List::Closing::kLeaves);
  expect_every_schedule_ends(result);
  EXPECT_GT(result.schedules, 50u);
}

TEST(SuccessorListInterleavings, WhoComesSecondLearnsItWhereTheTaskIsHeld) {
  const auto result = explore(kMostPushes, List::Closing::kHolds);
  expect_every_schedule_ends(result);
  EXPECT_GT(result.schedules, 50u);
}

}  // namespace
}  // namespace heddle
