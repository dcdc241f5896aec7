// Every interleaving of small cases: an item leaves exactly once, whoever takes it.
#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "support/explore.hpp"
#include "sync/deque.hpp"

namespace heddle {
namespace {

using test::ExploredAtomic;
using test::Explorer;
using Deque = WorkStealingDeque<int, ExploredAtomic>;

struct Shared {
  explicit Shared(std::int64_t capacity) : deque(capacity) {}
  Deque deque;
  int items[4] = {};
  int taken[4] = {};
  void take(int* item) {
    if (item != nullptr) ++taken[item - items];
  }
};

// Owner: pushes `pushes`, pops `pops`, then empties the deque. Thieves: one steal each, `steals` in all per
// thief.
Explorer::Result explore(int pushes, int pops, int thieves, int steals, std::int64_t capacity,
                         int preemptions) {
  return Explorer::run(
      [=] {
        auto shared = std::make_shared<Shared>(capacity);
        Explorer::Scenario scenario;
        scenario.threads.emplace_back([=] {
          for (int i = 0; i < pushes; ++i) shared->deque.push(&shared->items[i]);
          for (int i = 0; i < pops; ++i) shared->take(shared->deque.pop());
        });
        for (int t = 0; t < thieves; ++t)
          scenario.threads.emplace_back([=] {
            for (int i = 0; i < steals; ++i) shared->take(shared->deque.steal());
          });
        scenario.at_end = [=] {
          while (int* item = shared->deque.pop()) shared->take(item);
          for (int i = 0; i < pushes; ++i) EXPECT_EQ(shared->taken[i], 1) << "item " << i;
        };
        return scenario;
      },
      preemptions);
}

constexpr int kAll = 1 << 20;

TEST(DequeInterleavings, LastItemGoesToTheOwnerOrToTheThiefNeverToBoth) {
  const auto result = explore(1, 1, 1, 1, 8, kAll);
  EXPECT_TRUE(result.is_complete);
  EXPECT_GT(result.schedules, 50u);
  RecordProperty("schedules", static_cast<int>(result.schedules));
}

TEST(DequeInterleavings, TwoItemsTwoPopsAgainstTwoStealsWithUpToFivePreemptions) {
  const auto result = explore(2, 2, 1, 2, 8, 5);
  EXPECT_TRUE(result.is_complete);
  RecordProperty("schedules", static_cast<int>(result.schedules));
}

TEST(DequeInterleavings, TwoThievesAndTheOwnerWithUpToThreePreemptions) {
  const auto result = explore(2, 2, 2, 1, 8, 3);
  EXPECT_TRUE(result.is_complete);
  RecordProperty("schedules", static_cast<int>(result.schedules));
}

TEST(DequeInterleavings, ThiefHoldsTheOldRingWhileTheOwnerGrowsIt) {
  const auto result = explore(3, 1, 1, 2, 2, 3);
  EXPECT_TRUE(result.is_complete);
  RecordProperty("schedules", static_cast<int>(result.schedules));
}

}  // namespace
}  // namespace heddle
