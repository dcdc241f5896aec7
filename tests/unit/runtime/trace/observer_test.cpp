#include "trace/observer.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <thread>
#include <vector>

namespace heddle {
namespace {

// Writes down what it hears, behind its name.
class Listener final : public Observer {
 public:
  Listener(std::string name, std::vector<std::string>& heard) : name_(std::move(name)), heard_(heard) {}

  void single_ends() override { heard_.push_back(name_ + ": single_ends"); }
  void chunk_begins(std::uint64_t start, std::uint64_t iterations) override {
    heard_.push_back(name_ + ": " + std::to_string(start) + "+" + std::to_string(iterations));
  }
  void sync_region_begins(SyncRegion& region) override { region.task = reinterpret_cast<Task*>(&heard_); }
  void sync_region_ends(SyncRegion& region) override {
    heard_.push_back(name_ + ": sync_region_ends of " + std::to_string(region.kind));
  }

 private:
  const std::string name_;
  std::vector<std::string>& heard_;
};

TEST(Observer, EachHearsEachEventInTurn) {
  std::vector<std::string> heard;
  Listener first("first", heard), second("second", heard);
  EXPECT_FALSE(has_observers());
  observe(&Observer::single_ends);
  EXPECT_TRUE(heard.empty());
  add_observer(first);
  add_observer(second);
  EXPECT_TRUE(has_observers());
  observe(&Observer::chunk_begins, 7, 3);
  observe(&Observer::flush, {});  // none of them listens
  EXPECT_EQ(heard, (std::vector<std::string>{"first: 7+3", "second: 7+3"}));
  remove_observer(first);
  remove_observer(first);
  observe(&Observer::single_ends);
  EXPECT_EQ(heard.back(), "second: single_ends");
  EXPECT_EQ(heard.size(), 3u);
  remove_observer(second);
  EXPECT_FALSE(has_observers());
}

TEST(Observer, ARegionEndsForThoseThatHaveSeenItBegin) {
  std::vector<std::string> heard;
  Listener listener("late", heard);
  {
    const SyncRegion region(ompt_sync_region_taskwait, {});
    add_observer(listener);
  }
  EXPECT_TRUE(heard.empty());
  {
    const SyncRegion region(ompt_sync_region_taskwait, {});
  }
  EXPECT_EQ(heard.size(), 1u);
  remove_observer(listener);
}

class Counter final : public Observer {
 public:
  void chunk_begins(std::uint64_t start, std::uint64_t iterations) override {
    ASSERT_EQ(start, iterations);
    count.fetch_add(1, std::memory_order_relaxed);
  }
  std::atomic<int> count{0};
};

TEST(Observer, MayGoWhileOthersRaiseEvents) {
  constexpr int kThreads = 4, kEvents = 2000, kRounds = 50;
  Counter stays, goes;
  add_observer(stays);
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t)
    threads.emplace_back([] {
      for (std::uint64_t i = 0; i < kEvents; ++i) observe(&Observer::chunk_begins, i, i);
    });
  for (int round = 0; round < kRounds; ++round) {
    add_observer(goes);
    remove_observer(goes);
  }
  for (std::thread& thread : threads) thread.join();
  remove_observer(stays);
  EXPECT_EQ(stays.count, kThreads * kEvents);
  EXPECT_LE(goes.count, kThreads * kEvents);
}

}  // namespace
}  // namespace heddle
