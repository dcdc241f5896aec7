#include "sched/spawn_policy.hpp"

#include <gtest/gtest.h>

#include "sched/lengths.hpp"
#include "task/task.hpp"
#include "test_clock.hpp"

namespace heddle {
namespace {

constexpr int kShortestPause = limits::kSerialPause;

// One creator that goes alone now and then.
class AloneCreator : public testing::Test {
 protected:
  void go_alone() { alone.begin(&creator); }
  bool is_alone() const { return alone.is(&creator); }

  // How many tasks of that length are executed alone.
  int executed_alone(int most, std::uint64_t ns) {
    int executed = 0;
    for (; executed < most && is_alone(); ++executed) {
      alone.begins();
      pass_ns(ns);
      alone.executed();
    }
    return executed;
  }

  // How many are shared before the creator is to try again.
  int shared() {
    int count = 0;
    while (!alone.is_due()) ++count;
    return count;
  }

  SerialCreation<TestClock> alone;
  const Task creator{};
};

TEST_F(AloneCreator, AFewLongOnesEndIt) {
  EXPECT_FALSE(is_alone());
  go_alone();
  EXPECT_LE(executed_alone(100, 50'000), 4);
  EXPECT_FALSE(is_alone());
}

TEST_F(AloneCreator, ManySlowOnesEndIt) {
  go_alone();
  EXPECT_LE(executed_alone(1000, 1000), 32);
}

TEST_F(AloneCreator, WhatTheCreatorDoesAfterAWaitDoesNotCount) {
  go_alone();
  for (int i = 0; i < 10; ++i) {
    alone.wait_ends(&creator);
    pass_ns(100'000);
    alone.begins();
    alone.executed();
    EXPECT_TRUE(is_alone());
  }
}

TEST_F(AloneCreator, LongOnesAreNoticedWhereTheCreatorWaitsAfterEach) {
  go_alone();
  EXPECT_EQ(executed_alone(1, 0), 1);
  EXPECT_EQ(executed_alone(1, 50'000), 1);
  EXPECT_TRUE(is_alone());
  alone.wait_begins(&creator);
  EXPECT_FALSE(is_alone());
}

TEST_F(AloneCreator, LongOnesAmongShortOnesEndIt) {
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
    alone.wait_begins(&creator);
    alone.wait_ends(&creator);
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

TEST_F(AloneCreator, AnInterruptionDoesNot) {
  go_alone();
  for (int i = 0; i < 10; ++i) {
    EXPECT_EQ(executed_alone(1000, 10), 1000);
    EXPECT_EQ(executed_alone(1, 50'000), 1);
  }
  EXPECT_EQ(executed_alone(100, 10), 100);
  // A long one does, but not for long: so much was saved before.
  EXPECT_LT(executed_alone(1000, 100'000), 5);
  EXPECT_EQ(shared(), kShortestPause);
}

TEST_F(AloneCreator, SharesUntilThatHasCostWhatBeingAloneLost) {
  go_alone();
  executed_alone(1000, 50);  // saves 100 us
  executed_alone(1000, 5'000'000);
  EXPECT_FALSE(is_alone());
  const int first = shared();
  EXPECT_GT(first, 5'000'000 / 150 * 9 / 10);
  EXPECT_LT(first, 4 * 5'000'000 / 150 * 11 / 10);
  // The same again: for longer.
  go_alone();
  executed_alone(1000, 50);
  executed_alone(1000, 5'000'000);
  EXPECT_GT(shared(), first * 3 / 2);
}

TEST_F(AloneCreator, SharesForLongerEachTimeThatItLosesALittle) {
  int before = 0;
  for (int i = 0; i < 8; ++i) {
    go_alone();
    executed_alone(1000, 300);  // uses the first credit up, and no more
    EXPECT_FALSE(is_alone());
    const int now = shared();
    EXPECT_GE(now, before == 0 ? kShortestPause - 1 : 2 * before - 2);
    before = now;
  }
}

TEST_F(AloneCreator, WhoSavedMoreThanItLostIsSoonAloneAgain) {
  for (int i = 0; i < 5; ++i) alone.postpone();
  EXPECT_GT(shared(), 4 * kShortestPause);
  go_alone();
  executed_alone(10'000, 10);
  executed_alone(100, 50'000);
  EXPECT_FALSE(is_alone());
  EXPECT_EQ(shared(), kShortestPause);
}

TEST_F(AloneCreator, WhoseCreatorEndsIsAsGood) {
  for (int i = 0; i < 5; ++i) alone.postpone();
  go_alone();
  executed_alone(1000, 10);
  alone.forget_creator(creator);
  EXPECT_FALSE(is_alone());
  EXPECT_EQ(shared(), kShortestPause);
}

TEST_F(AloneCreator, APostponedTrialComesLaterAndLater) {
  alone.postpone();
  EXPECT_TRUE(alone.is_postponed());
  const int before = shared();
  alone.postpone();
  EXPECT_EQ(shared(), 2 * before);
  alone.stay();
  EXPECT_EQ(shared(), kShortestPause);
}

TEST_F(AloneCreator, CanBeStopped) {
  go_alone();
  alone.stop();
  EXPECT_FALSE(is_alone());
}

TEST(ShortTaskVote, MostSamplesDecide) {
  ShortTaskVote vote;
  for (int i = 0; i < 15; ++i) vote.judge(50);
  EXPECT_FALSE(vote.are_short());
  vote.judge(50);
  EXPECT_TRUE(vote.are_short());
  vote.judge(1500);
  EXPECT_FALSE(vote.are_short());
  vote.judge(50);
  EXPECT_TRUE(vote.are_short());
  // One in four that is long is too many.
  for (int i = 0; i < 1000; ++i) {
    vote.judge(i % 4 == 0 ? 10'000 : 50);
    EXPECT_TRUE(i < 20 || !vote.are_short());
  }
}

}  // namespace
}  // namespace heddle
