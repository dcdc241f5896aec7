#include "sync/deque.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <thread>
#include <vector>

namespace heddle {
namespace {

TEST(WorkStealingDeque, OwnerTakesTheYoungestAndThievesTheOldest) {
  WorkStealingDeque<int> deque;
  int items[3] = {0, 1, 2};
  for (int& item : items) deque.push(&item);
  EXPECT_EQ(deque.steal(), &items[0]);
  EXPECT_EQ(deque.pop(), &items[2]);
  EXPECT_EQ(deque.pop(), &items[1]);
  EXPECT_EQ(deque.pop(), nullptr);
  EXPECT_EQ(deque.steal(), nullptr);
  EXPECT_TRUE(deque.looks_empty());
}

TEST(WorkStealingDeque, GrowsBeyondItsFirstCapacityAndKeepsTheOrder) {
  WorkStealingDeque<int> deque(4);
  std::vector<int> items(1000);
  for (int& item : items) deque.push(&item);
  EXPECT_EQ(deque.size(), 1000);
  for (std::size_t i = 0; i < 500; ++i) EXPECT_EQ(deque.steal(), &items[i]);
  for (std::size_t i = 999; i >= 500; --i) EXPECT_EQ(deque.pop(), &items[i]);
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
      while (!is_done.load()) take(deque.steal());
    });
  for (int i = 0; i < kItems; ++i) {
    deque.push(&items[static_cast<std::size_t>(i)]);
    if (i % 3 == 0) take(deque.pop());
  }
  while (!deque.looks_empty()) take(deque.pop());
  is_done.store(true);
  for (std::thread& thief : thieves) thief.join();
  EXPECT_TRUE(
      std::all_of(taken.begin(), taken.end(), [](const std::atomic<int>& n) { return n.load() == 1; }));
}

}  // namespace
}  // namespace heddle
