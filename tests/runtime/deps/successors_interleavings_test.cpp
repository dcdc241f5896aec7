// Every interleaving of two tasks that register with a third and that one's completion: each registered edge
// is released exactly once, each refused one never.
#include <gtest/gtest.h>

#include <memory>

#include "deps/successors.hpp"
#include "support/explore.hpp"

namespace heddle {
namespace {

using test::ExploredAtomic;
using test::Explorer;

TEST(SuccessorInterleavings, AnEdgeIsEitherRefusedOrReleasedOnce) {
  struct Shared {
    ExploredAtomic<Edge*> list{nullptr};
    Edge edges[2];
    bool is_pushed[2] = {};
    int released[2] = {};
  };
  const auto result = Explorer::run([] {
    auto shared = std::make_shared<Shared>();
    Explorer::Scenario scenario;
    for (int i = 0; i < 2; ++i)
      scenario.threads.emplace_back(
          [=] { shared->is_pushed[i] = push_successor(shared->list, shared->edges[i]); });
    scenario.threads.emplace_back([=] {
      for (Edge* edge = close_successors(shared->list); edge != nullptr; edge = edge->next)
        ++shared->released[edge - shared->edges];
    });
    scenario.at_end = [=] {
      for (int i = 0; i < 2; ++i) EXPECT_EQ(shared->released[i], shared->is_pushed[i] ? 1 : 0);
      EXPECT_TRUE(is_closed(shared->list));
    };
    return scenario;
  });
  EXPECT_TRUE(result.is_complete);
  EXPECT_GT(result.schedules, 20u);
  RecordProperty("schedules", static_cast<int>(result.schedules));
}

}  // namespace
}  // namespace heddle
