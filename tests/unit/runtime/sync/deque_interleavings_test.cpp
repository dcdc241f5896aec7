// Every interleaving of small cases: an item leaves exactly once, whoever takes it.
#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "support/explore.hpp"
#include "sync/deque.hpp"

namespace heddle {
namespace {

using test::expect_every_schedule_ends;
using test::ExploredAtomic;
using test::Explorer;
using Deque = WorkStealingDeque<int, ExploredAtomic, 2>;  // two at a stroke; long with eight

struct Shared {
  explicit Shared(std::int64_t capacity) : deque(capacity) {}
  Deque deque;
  int items[16] = {};
  int taken[16] = {};
  void take(int* item) {
    if (item != nullptr) ++taken[item - items];
  }
  void steal(int most) {
    int* stolen[Deque::kBatch] = {};
    for (int n = deque.steal(stolen, most); n > 0; --n) take(stolen[n - 1]);
  }
};

// With `first` items in the deque: the owner pushes `pushes`, pops `pops`, then empties the deque. Thieves:
// one steal each, `steals` in all per thief.
Explorer::Result explore(int pushes, int pops, int thieves, int steals, std::int64_t capacity,
                         int preemptions, int first = 0) {
  return Explorer::run(
      [=] {
        auto shared = std::make_shared<Shared>(capacity);
        for (int i = 0; i < first; ++i) shared->deque.push(&shared->items[i]);
        Explorer::Scenario scenario;
        scenario.threads.emplace_back([=] {
          for (int i = 0; i < pushes; ++i) shared->deque.push(&shared->items[first + i]);
          for (int i = 0; i < pops; ++i) shared->take(shared->deque.pop());
        });
        for (int t = 0; t < thieves; ++t)
          scenario.threads.emplace_back([=] {
            for (int i = 0; i < steals; ++i) shared->steal(Deque::kBatch);
          });
        scenario.at_end = [=] {
          while (int* item = shared->deque.pop()) shared->take(item);
          for (int i = 0; i < first + pushes; ++i) EXPECT_EQ(shared->taken[i], 1) << "item " << i;
        };
        return scenario;
      },
      preemptions);
}

// The owner of a deque with `items` takes its own oldest one before each of so many pops, against a thief.
Explorer::Result explore_own_oldest(int items, int pops, int preemptions) {
  return Explorer::run(
      [=] {
        auto shared = std::make_shared<Shared>(16);
        for (int i = 0; i < items; ++i) shared->deque.push(&shared->items[i]);
        Explorer::Scenario scenario;
        scenario.threads.emplace_back([=] {
          for (int i = 0; i < pops; ++i) {
            shared->steal(1);
            shared->take(shared->deque.pop());
          }
        });
        scenario.threads.emplace_back([=] {
          for (int i = 0; i < 2; ++i) shared->steal(Deque::kBatch);
        });
        scenario.at_end = [=] {
          while (int* item = shared->deque.pop()) shared->take(item);
          for (int i = 0; i < items; ++i) EXPECT_EQ(shared->taken[i], 1) << "item " << i;
        };
        return scenario;
      },
      preemptions);
}

constexpr int kAll = 1 << 20;

TEST(DequeInterleavings, LastItemGoesToTheOwnerOrToTheThiefNeverToBoth) {
  const auto result = explore(1, 1, 1, 1, 8, kAll);
  expect_every_schedule_ends(result);
  EXPECT_GT(result.schedules, 50u);
}

TEST(DequeInterleavings, TwoItemsTwoPopsAgainstTwoStealsWithUpToFivePreemptions) {
  const auto result = explore(2, 2, 1, 2, 8, 5);
  expect_every_schedule_ends(result);
}

TEST(DequeInterleavings, TwoThievesAndTheOwnerWithUpToThreePreemptions) {
  const auto result = explore(2, 2, 2, 1, 8, 3);
  expect_every_schedule_ends(result);
}

TEST(DequeInterleavings, ThiefHoldsTheOldRingWhileTheOwnerGrowsIt) {
  const auto result = explore(3, 1, 1, 2, 2, 3);
  expect_every_schedule_ends(result);
}

// Long with nine items; pops lead back to short ones under the eyes of a thief that takes two at a stroke.
TEST(DequeInterleavings, ThiefTakesTwoWhileTheOwnerEmptiesALongDeque) {
  const auto result = explore(0, 9, 1, 2, 16, 4, 9);
  expect_every_schedule_ends(result);
}

TEST(DequeInterleavings, OwnerTakesItsOldestOneOfALongDequeWhileAThiefTakesTwo) {
  const auto result = explore_own_oldest(9, 5, 3);
  expect_every_schedule_ends(result);
}

TEST(DequeInterleavings, OwnerTakesItsOldestOneWhileAThiefIsThereWithUpToSevenPreemptions) {
  const auto result = explore_own_oldest(2, 2, 7);
  expect_every_schedule_ends(result);
}

TEST(DequeInterleavings, TwoThievesTakeTwoEachOfADequeThatGrowsLong) {
  const auto result = explore(2, 3, 2, 1, 16, 3, 7);
  expect_every_schedule_ends(result);
}

}  // namespace
}  // namespace heddle
