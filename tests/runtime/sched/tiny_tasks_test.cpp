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

// One creator that goes alone now and then.
class TinyTasksOfOne : public testing::Test {
 protected:
  void go_alone() { tiny.go_alone(&creator); }
  bool is_alone() const { return tiny.is_alone(&creator); }

  // How many tasks of that length are executed alone.
  int executed_alone(int most, std::uint64_t ns) {
    int executed = 0;
    for (; executed < most && is_alone(); ++executed) {
      tiny.begins();
      pass_ns(ns);
      tiny.executed();
    }
    return executed;
  }

  // How many are shared before the creator is to try again.
  int shared() {
    int count = 1;
    while (!tiny.is_due()) ++count;
    return count;
  }

  Tiny tiny;
  const Task creator{};
};

TEST_F(TinyTasksOfOne, AFewLongOnesEndIt) {
  EXPECT_FALSE(is_alone());
  go_alone();
  EXPECT_LE(executed_alone(100, 50'000), 4);
  EXPECT_FALSE(is_alone());
}

TEST_F(TinyTasksOfOne, ManySlowOnesEndIt) {
  go_alone();
  EXPECT_LE(executed_alone(1000, 1000), 32);
}

TEST_F(TinyTasksOfOne, WhatTheCreatorDoesAfterAWaitDoesNotCount) {
  go_alone();
  for (int i = 0; i < 10; ++i) {
    tiny.wait_ends(&creator);
    pass_ns(100'000);
    tiny.begins();
    tiny.executed();
    EXPECT_TRUE(is_alone());
  }
}

TEST_F(TinyTasksOfOne, LongOnesAreNoticedWhereTheCreatorWaitsAfterEach) {
  go_alone();
  EXPECT_EQ(executed_alone(1, 0), 1);
  EXPECT_EQ(executed_alone(1, 50'000), 1);
  EXPECT_TRUE(is_alone());
  tiny.wait_begins(&creator);
  EXPECT_FALSE(is_alone());
}

TEST_F(TinyTasksOfOne, LongOnesAmongShortOnesEndIt) {
  go_alone();
  for (int i = 0; i < 10 && is_alone(); ++i) {
    executed_alone(9, 50);
    executed_alone(1, 10'000'000);
  }
  EXPECT_FALSE(is_alone());
  go_alone();
  for (int i = 0; i < 10 && is_alone(); ++i) {  // a short one first, then a wait
    executed_alone(1, 50);
    executed_alone(4, 10'000'000);
    tiny.wait_begins(&creator);
    tiny.wait_ends(&creator);
  }
  EXPECT_FALSE(is_alone());
  // One in twenty takes ten times what its neighbours save.
  go_alone();
  int executed = 0;
  for (; executed < 10'000 && is_alone(); executed += 20) {
    executed_alone(19, 50);
    executed_alone(1, 20'000);
  }
  EXPECT_LT(executed, 100);
}

TEST_F(TinyTasksOfOne, AnInterruptionDoesNot) {
  go_alone();
  for (int i = 0; i < 10; ++i) {
    EXPECT_EQ(executed_alone(1000, 10), 1000);
    EXPECT_EQ(executed_alone(1, 50'000), 1);
  }
  EXPECT_EQ(executed_alone(100, 10), 100);
  // A long one does, but not for long.
  EXPECT_LT(executed_alone(1000, 5'000'000), 5);
  EXPECT_LE(shared(), 64);
}

TEST_F(TinyTasksOfOne, WhoWasAloneForLongIsSoonAgain) {
  for (int i = 0; i < 5; ++i) tiny.postpone();
  const int before = shared();
  const auto pause_after = [&](int tasks) {
    go_alone();
    executed_alone(tasks, 10);
    executed_alone(100, 50'000);
    return shared();
  };
  EXPECT_EQ(pause_after(before), before / 2);
  EXPECT_LT(pause_after(20 * before), before / 4);
}

TEST_F(TinyTasksOfOne, WhoseCreatorEndsIsAsGood) {
  for (int i = 0; i < 5; ++i) tiny.postpone();
  const int before = shared();
  go_alone();
  executed_alone(before + 10, 10);
  tiny.forget_creator(creator);
  EXPECT_FALSE(is_alone());
  EXPECT_EQ(shared(), before / 2);
}

TEST_F(TinyTasksOfOne, AfterFailuresTheCreatorSharesForLonger) {
  int before = shared();
  for (int i = 0; i < 5; ++i) {
    go_alone();
    executed_alone(100, 50'000);
    const int now = shared();
    EXPECT_EQ(now, 2 * before);
    before = now;
  }
  tiny.postpone();
  EXPECT_TRUE(tiny.is_postponed());
  EXPECT_EQ(shared(), 2 * before);
  tiny.stay();
  EXPECT_LT(shared(), before);
}

TEST(TinyTasks, MostSamplesDecide) {
  int votes = 0;
  for (int i = 0; i < 2 * Tiny::kSure; ++i) votes = Tiny::votes(votes, 50);
  EXPECT_EQ(votes, Tiny::kSure);
  EXPECT_EQ(Tiny::votes(votes, 1500), Tiny::kSure - 1);
  EXPECT_EQ(Tiny::votes(0, 1500), 0);
  EXPECT_EQ(Tiny::votes(0, 10'000), 0);
  // One in four that is large is too many.
  for (int i = 0; i < 1000; ++i) {
    votes = Tiny::votes(votes, i % 4 == 0 ? 10'000 : 50);
    EXPECT_TRUE(i < 20 || votes < Tiny::kSure);
  }
}

}  // namespace
}  // namespace heddle
