// Every interleaving of the two threads that meet at a successor list: the parent's, which pushes edges and
// abandons the task, and the one that completes it.
#include <gtest/gtest.h>

#include <memory>

#include "support/explore.hpp"
#include "task/successor_list.hpp"

namespace heddle {
namespace {

using test::expect_every_schedule_ends;
using test::ExploredAtomic;
using test::Explorer;
using List = SuccessorList<ExploredAtomic>;

struct Shared {
  List list;
  Edge edges[3];
  bool is_pushed[3] = {};
  int released[3] = {};
  int freed = 0;  // times that either side found the task's memory to be its own to free
  bool is_held = false;
};

Explorer::Result explore(int pushes, List::Closing how) {
  return Explorer::run([=] {
    auto shared = std::make_shared<Shared>();
    Explorer::Scenario scenario;
    scenario.threads.emplace_back([=] {
      for (int i = 0; i < pushes; ++i) shared->is_pushed[i] = shared->list.push(shared->edges[i]);
      const auto end = shared->list.abandon();
      shared->freed += end == List::Abandoned::kFreed ? 1 : 0;
      shared->is_held = end == List::Abandoned::kHeld;
    });
    scenario.threads.emplace_back([=] {
      const auto [edges, was_abandoned] = shared->list.close(how);
      for (Edge* edge = edges; edge != nullptr; edge = edge->next) ++shared->released[edge - shared->edges];
      shared->freed += was_abandoned ? 1 : 0;
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
  const auto result = explore(3, List::Closing::kLeaves);
  expect_every_schedule_ends(result);
  EXPECT_GT(result.schedules, 20u);
}

TEST(SuccessorListInterleavings, WhoComesSecondLearnsItWhereTheTaskIsHeld) {
  const auto result = explore(3, List::Closing::kHolds);
  expect_every_schedule_ends(result);
  EXPECT_GT(result.schedules, 20u);
}

}  // namespace
}  // namespace heddle
