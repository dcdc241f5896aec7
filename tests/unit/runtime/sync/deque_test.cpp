#include "sync/deque.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <thread>
#include <vector>

namespace heddle {
namespace {

int* steal_one(WorkStealingDeque<int>& deque) {
  int* items[WorkStealingDeque<int>::kBatch];
  const int count = deque.steal(items);
  EXPECT_LE(count, 1);
  return count == 1 ? items[0] : nullptr;
}

TEST(WorkStealingDeque, OwnerTakesTheYoungestAndThievesTheOldest) {
  WorkStealingDeque<int> deque;
  int items[3] = {0, 1, 2};
  for (int& item : items) deque.push(&item);
  EXPECT_EQ(steal_one(deque), &items[0]);
  EXPECT_EQ(deque.pop(), &items[2]);
  EXPECT_EQ(deque.pop(), &items[1]);
  EXPECT_EQ(deque.pop(), nullptr);
  EXPECT_EQ(steal_one(deque), nullptr);
  EXPECT_TRUE(deque.looks_empty());
}

TEST(WorkStealingDeque, GrowsBeyondItsFirstCapacityAndKeepsTheOrder) {
  WorkStealingDeque<int> deque(4);
  std::vector<int> items(1000);
  for (int& item : items) deque.push(&item);
  EXPECT_TRUE(deque.holds(1000));
  EXPECT_FALSE(deque.holds(1001));
  constexpr std::size_t kBatch = WorkStealingDeque<int>::kBatch;
  int* stolen[kBatch];
  for (std::size_t i = 0; i < 10; ++i) {
    EXPECT_EQ(deque.steal(stolen), static_cast<int>(kBatch)) << "a long deque gives many at a stroke";
    for (std::size_t j = 0; j < kBatch; ++j) EXPECT_EQ(stolen[j], &items[i * kBatch + j]);
  }
  for (std::size_t i = 999; i >= 10 * kBatch; --i) EXPECT_EQ(deque.pop(), &items[i]);
  EXPECT_TRUE(deque.looks_empty());
}

TEST(WorkStealingDeque, EveryItemLeavesExactlyOnceUnderStress) {
  constexpr int kItems = 20000, kThieves = 3;
  WorkStealingDeque<int> deque(8);
  std::vector<int> items(kItems);
  std::vector<std::atomic<int>> taken(kItems);
  std::atomic<bool> is_done{false};
  const auto take = [&](int* item) {
    if (item != nullptr) taken[static_cast<std::size_t>(item - items.data())].fetch_add(1);
  };
  std::vector<std::thread> thieves;
  for (int t = 0; t < kThieves; ++t)
    thieves.emplace_back([&] {
      int* stolen[WorkStealingDeque<int>::kBatch];
      while (!is_done.load())
        for (int i = deque.steal(stolen); i > 0; --i) take(stolen[i - 1]);
    });
  for (int i = 0; i < kItems; ++i) {
    deque.push(&items[static_cast<std::size_t>(i)]);
    // Now and then all but empty: the mode changes many times.
    const bool shrinks = i / 500 % 2 == 1;
    for (int pops = shrinks ? 2 : i % 3 == 0; pops > 0; --pops) take(deque.pop());
  }
  while (!deque.looks_empty()) take(deque.pop());
  is_done.store(true);
  for (std::thread& thief : thieves) thief.join();
  EXPECT_TRUE(
      std::all_of(taken.begin(), taken.end(), [](const std::atomic<int>& n) { return n.load() == 1; }));
}

}  // namespace
}  // namespace heddle
