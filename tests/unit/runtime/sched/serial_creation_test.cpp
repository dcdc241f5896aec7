#include "sched/spawn_policy.hpp"

#include <gtest/gtest.h>

#include "sched/lengths.hpp"
#include "task/task.hpp"
#include "test_clock.hpp"

namespace heddle {
namespace {

constexpr int kShortestPause = limits::kSerialPause;

// One creator whose tasks it now and then executes serially.
class SerialCreationTest : public testing::Test {
 protected:
  void begin_serial() { serial.begin(&creator); }
  bool is_serial() const { return serial.is(&creator); }

  // How many tasks of that length are executed serial.
  int executed_serially(int most, std::uint64_t ns) {
    int executed = 0;
    for (; executed < most && is_serial(); ++executed) {
      serial.begins();
      pass_ns(ns);
      serial.executed();
    }
    return executed;
  }

  // How many are shared before the creator is to try again.
  int shared() {
    int count = 0;
    while (!serial.is_due()) ++count;
    return count;
  }

  SerialCreation<TestClock> serial;
  const Task creator{};
};

TEST_F(SerialCreationTest, AFewLongOnesEndIt) {
  EXPECT_FALSE(is_serial());
  begin_serial();
  EXPECT_LE(executed_serially(100, 50'000), 4);
  EXPECT_FALSE(is_serial());
}

TEST_F(SerialCreationTest, ManySlowOnesEndIt) {
  begin_serial();
  EXPECT_LE(executed_serially(1000, 1000), 32);
}

TEST_F(SerialCreationTest, WhatTheCreatorDoesAfterAWaitDoesNotCount) {
  begin_serial();
  for (int i = 0; i < 10; ++i) {
    serial.wait_ends(&creator);
    pass_ns(100'000);
    serial.begins();
    serial.executed();
    EXPECT_TRUE(is_serial());
  }
}

TEST_F(SerialCreationTest, LongTasksAreNoticedWhereTheCreatorWaitsAfterEach) {
  begin_serial();
  EXPECT_EQ(executed_serially(1, 0), 1);
  EXPECT_EQ(executed_serially(1, 50'000), 1);
  EXPECT_TRUE(is_serial());
  serial.wait_begins(&creator);
  EXPECT_FALSE(is_serial());
}

TEST_F(SerialCreationTest, LongOnesAmongShortOnesEndIt) {
  begin_serial();
  for (int i = 0; i < 10 && is_serial(); ++i) {
    executed_serially(9, 50);
    executed_serially(1, 10'000'000);
  }
  EXPECT_FALSE(is_serial());
  begin_serial();
  for (int i = 0; i < 10 && is_serial(); ++i) {  // a short one first, then a wait
    executed_serially(1, 50);
    executed_serially(4, 10'000'000);
    serial.wait_begins(&creator);
    serial.wait_ends(&creator);
  }
  EXPECT_FALSE(is_serial());
  // One in twenty takes ten times what its neighbours save.
  begin_serial();
  int executed = 0;
  for (; executed < 10'000 && is_serial(); executed += 20) {
    executed_serially(19, 50);
    executed_serially(1, 20'000);
  }
  EXPECT_LT(executed, 100);
}

TEST_F(SerialCreationTest, AnInterruptionDoesNot) {
  begin_serial();
  for (int i = 0; i < 10; ++i) {
    EXPECT_EQ(executed_serially(1000, 10), 1000);
    EXPECT_EQ(executed_serially(1, 50'000), 1);
  }
  EXPECT_EQ(executed_serially(100, 10), 100);
  // A long one does, but not for long: so much was saved before.
  EXPECT_LT(executed_serially(1000, 100'000), 5);
  EXPECT_EQ(shared(), kShortestPause);
}

TEST_F(SerialCreationTest, SharesUntilThatHasCostWhatSerialCreationLost) {
  begin_serial();
  executed_serially(1000, 50);  // saves 100 us
  executed_serially(1000, 5'000'000);
  EXPECT_FALSE(is_serial());
  const int first = shared();
  EXPECT_GT(first, 5'000'000 / 150 * 9 / 10);
  EXPECT_LT(first, 4 * 5'000'000 / 150 * 11 / 10);
  // The same again: for longer.
  begin_serial();
  executed_serially(1000, 50);
  executed_serially(1000, 5'000'000);
  EXPECT_GT(shared(), first * 3 / 2);
}

TEST_F(SerialCreationTest, SharesForLongerEachTimeThatItLosesALittle) {
  int before = 0;
  for (int i = 0; i < 8; ++i) {
    begin_serial();
    executed_serially(1000, 300);  // uses the first credit up, and no more
    EXPECT_FALSE(is_serial());
    const int now = shared();
    EXPECT_GE(now, before == 0 ? kShortestPause - 1 : 2 * before - 2);
    before = now;
  }
}

TEST_F(SerialCreationTest, IsSerialAgainSoonIfItSavedMoreThanItLost) {
  for (int i = 0; i < 5; ++i) serial.postpone();
  EXPECT_GT(shared(), 4 * kShortestPause);
  begin_serial();
  executed_serially(10'000, 10);
  executed_serially(100, 50'000);
  EXPECT_FALSE(is_serial());
  EXPECT_EQ(shared(), kShortestPause);
}

TEST_F(SerialCreationTest, LosesNothingWhenItsCreatorEnds) {
  for (int i = 0; i < 5; ++i) serial.postpone();
  begin_serial();
  executed_serially(1000, 10);
  serial.forget_creator(creator);
  EXPECT_FALSE(is_serial());
  EXPECT_EQ(shared(), kShortestPause);
}

TEST_F(SerialCreationTest, APostponedTrialComesLaterAndLater) {
  serial.postpone();
  EXPECT_TRUE(serial.is_postponed());
  const int before = shared();
  serial.postpone();
  EXPECT_EQ(shared(), 2 * before);
  serial.stay();
  EXPECT_EQ(shared(), kShortestPause);
}

TEST_F(SerialCreationTest, CanBeStopped) {
  begin_serial();
  serial.stop();
  EXPECT_FALSE(is_serial());
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
