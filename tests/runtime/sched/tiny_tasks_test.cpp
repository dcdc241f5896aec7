#include "sched/tiny_tasks.hpp"

#include <gtest/gtest.h>

#include "task/task.hpp"

namespace heddle {
namespace {

std::uint64_t g_now = 0;
std::uint64_t now() {
  return g_now;
}
using Tiny = TinyTasksBy<now>;

void pass_ns(std::uint64_t ns) {
  g_now += ns * ticks_per_us() / 1000;
}

// How many tasks of that length are executed alone.
int executed_alone(Tiny& tiny, const Task& creator, int most, std::uint64_t ns) {
  int executed = 0;
  for (; executed < most && tiny.is_alone(&creator); ++executed) {
    tiny.begins();
    pass_ns(ns);
    tiny.executed();
  }
  return executed;
}

// How many are shared before the creator is to try again.
int shared(Tiny& tiny) {
  int count = 1;
  while (!tiny.is_due()) ++count;
  return count;
}

TEST(TinyTasks, AFewLongOnesEndIt) {
  Tiny tiny;
  const Task creator{};
  EXPECT_FALSE(tiny.is_alone(&creator));
  tiny.go_alone(&creator);
  EXPECT_LE(executed_alone(tiny, creator, 100, 50'000), 4);
  EXPECT_FALSE(tiny.is_alone(&creator));
}

TEST(TinyTasks, ManySlowOnesEndIt) {
  Tiny tiny;
  const Task creator{};
  tiny.go_alone(&creator);
  EXPECT_LE(executed_alone(tiny, creator, 1000, 1000), 32);
}

TEST(TinyTasks, WhatTheCreatorDoesAfterAWaitDoesNotCount) {
  Tiny tiny;
  const Task creator{};
  tiny.go_alone(&creator);
  for (int i = 0; i < 10; ++i) {
    tiny.has_waited();
    pass_ns(100'000);
    tiny.begins();
    tiny.executed();
    EXPECT_TRUE(tiny.is_alone(&creator));
  }
}

TEST(TinyTasks, LongOnesAreNoticedWhereTheCreatorWaitsAfterEach) {
  Tiny tiny;
  const Task creator{};
  tiny.go_alone(&creator);
  EXPECT_EQ(executed_alone(tiny, creator, 1, 0), 1);
  EXPECT_EQ(executed_alone(tiny, creator, 1, 50'000), 1);
  EXPECT_TRUE(tiny.is_alone(&creator));
  tiny.waits();
  EXPECT_FALSE(tiny.is_alone(&creator));
}

TEST(TinyTasks, AfterFailuresTheCreatorSharesForLonger) {
  Tiny tiny;
  const Task creator{};
  int before = shared(tiny);
  for (int i = 0; i < 5; ++i) {
    tiny.go_alone(&creator);
    executed_alone(tiny, creator, 100, 50'000);
    const int now = shared(tiny);
    EXPECT_EQ(now, 2 * before);
    before = now;
  }
  tiny.postpone();
  EXPECT_TRUE(tiny.is_postponed());
  EXPECT_EQ(shared(tiny), 2 * before);
  tiny.stay();
  EXPECT_LT(shared(tiny), before);
}

TEST(TinyTasks, MostSamplesDecide) {
  int votes = 0;
  for (int i = 0; i < 2 * Tiny::kSure; ++i) votes = Tiny::votes(votes, 50);
  EXPECT_EQ(votes, Tiny::kSure);
  EXPECT_EQ(Tiny::votes(votes, 1500), Tiny::kSure - 1);
  EXPECT_EQ(Tiny::votes(0, 1500), 0);
  EXPECT_EQ(Tiny::votes(votes, 10'000), 0);
}

}  // namespace
}  // namespace heddle
