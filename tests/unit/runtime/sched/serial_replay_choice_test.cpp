#include "sched/serial_replay_choice.hpp"

#include <gtest/gtest.h>

namespace heddle {
namespace {

constexpr std::size_t kTasks = 1000;

// Executes the graph once, by samples that say what is right. Returns whether in turn.
bool execute_once(SerialReplayChoice& choice, std::int64_t shared_ns, std::int64_t serial_ns) {
  const bool is_serial = choice.prefers_serial(kTasks, 2);
  if (is_serial)
    choice.took_serially(serial_ns);
  else
    choice.took_shared(shared_ns, serial_ns);
  return is_serial;
}

// Executes the graph so often. Returns how often in turn.
int execute(SerialReplayChoice& choice, int times, std::int64_t shared_ns, std::int64_t serial_ns) {
  int serial = 0;
  for (int i = 0; i < times; ++i) serial += execute_once(choice, shared_ns, serial_ns) ? 1 : 0;
  return serial;
}

TEST(SerialReplayChoice, WhatATeamIsFasterAtIsAlwaysShared) {
  SerialReplayChoice choice;
  EXPECT_EQ(execute(choice, 1000, 1'000'000, 1'900'000), 0);
}

TEST(SerialReplayChoice, TheFasterWayIsTaken) {
  SerialReplayChoice choice;
  EXPECT_FALSE(execute_once(choice, 60'000, 10'000)) << "the first is shared";
  const int serial = execute(choice, 1000, 60'000, 10'000);
  EXPECT_GE(serial, 985);
  EXPECT_LT(serial, 1000) << "the other is tried now and then";
}

TEST(SerialReplayChoice, WrongSamplesCostLittle) {
  SerialReplayChoice choice;
  int serial = 0;
  for (int i = 0; i < 1000; ++i) {
    const bool is_serial = choice.prefers_serial(kTasks, 2);
    serial += is_serial ? 1 : 0;
    if (is_serial)
      choice.took_serially(1'000'000);
    else
      choice.took_shared(600'000, 500'000);
  }
  EXPECT_GE(serial, 1);
  EXPECT_LE(serial, 15);
}

TEST(SerialReplayChoice, OneSlowExecutionIsForgottenSoon) {
  SerialReplayChoice choice;
  execute(choice, 500, 60'000, 10'000);
  while (!choice.prefers_serial(kTasks, 2)) choice.took_shared(60'000, 10'000);
  choice.took_serially(100'000);
  EXPECT_GE(execute(choice, 600, 60'000, 10'000), 380);
}

// Where no sample was taken: less than a task's hand-over takes.
TEST(SerialReplayChoice, TinyTasksAreTriedWithoutSamples) {
  SerialReplayChoice choice;
  choice.took_shared(60'000, INT64_MAX);
  EXPECT_FALSE(choice.prefers_serial(kTasks, 2)) << "the first one says little";
  choice.took_shared(60'000, INT64_MAX);
  EXPECT_TRUE(choice.prefers_serial(kTasks, 2));
  SerialReplayChoice other;
  for (int i = 0; i < 2; ++i) other.took_shared(60'000, INT64_MAX);
  EXPECT_FALSE(other.prefers_serial(kTasks, 64)) << "in turn they may take 64 times as long";
}

// Bodies that take most of what the team spent are not, however short each is.
TEST(SerialReplayChoice, TinyTasksAreNotTriedWhereSharingCostsLittle) {
  SerialReplayChoice choice;
  EXPECT_EQ(execute(choice, 1000, 60'000, 110'000), 0);
  SerialReplayChoice other;
  EXPECT_GE(execute(other, 1000, 60'000, 80'000), 1);
}

TEST(SerialReplayChoice, TasksThatGrowAreSharedAgain) {
  SerialReplayChoice choice;
  execute(choice, 100, 60'000, 10'000);
  EXPECT_LE(execute(choice, 100, 1'000'000, 2'000'000), 2);
  EXPECT_EQ(execute(choice, 100, 1'000'000, 2'000'000), 0);
}

TEST(SerialReplayChoice, TasksThatShrinkAreTriedInTurn) {
  SerialReplayChoice choice;
  execute(choice, 100, 1'000'000, 2'000'000);
  EXPECT_GE(execute(choice, 100, 60'000, 10'000), 85);
}

// What was too small to be shared when it was recorded.
TEST(SerialReplayChoice, TinyTasksDoWithoutAGraphUntilItHasPaid) {
  SerialReplayChoice choice(12'000);
  int serial = 0;
  while (serial <= 300 && execute_once(choice, 20'000, 3'000)) ++serial;
  EXPECT_GE(serial, 100) << "a thousand tasks of 3 ns";
  EXPECT_LE(serial, 300);
  EXPECT_GE(execute(choice, 1000, 20'000, 3'000), 980);
}

TEST(SerialReplayChoice, TasksThatGrewAreSharedSoon) {
  SerialReplayChoice choice(12'000);
  EXPECT_LE(execute(choice, 1000, 600'000, 1'000'000), 15);
}

TEST(SerialReplayChoice, TasksOfWhichSomeWereSharedAreSharedAgain) {
  SerialReplayChoice choice(11'000);
  EXPECT_EQ(execute(choice, 5, 8'000, 14'000), 1);
}

}  // namespace
}  // namespace heddle
