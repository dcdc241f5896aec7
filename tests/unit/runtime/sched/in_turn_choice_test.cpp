#include "sched/in_turn_choice.hpp"

#include <gtest/gtest.h>

namespace heddle {
namespace {

constexpr std::size_t kTasks = 1000;

// Executes the graph once, by samples that say what is right. Returns whether in turn.
bool execute_once(InTurnChoice& choice, std::int64_t shared_ns, std::int64_t in_turn_ns) {
  const bool is_in_turn = choice.prefers_turn(kTasks, 2);
  if (is_in_turn)
    choice.took_in_turn(in_turn_ns);
  else
    choice.took_shared(shared_ns, in_turn_ns);
  return is_in_turn;
}

// Executes the graph so often. Returns how often in turn.
int execute(InTurnChoice& choice, int times, std::int64_t shared_ns, std::int64_t in_turn_ns) {
  int in_turn = 0;
  for (int i = 0; i < times; ++i) in_turn += execute_once(choice, shared_ns, in_turn_ns) ? 1 : 0;
  return in_turn;
}

TEST(InTurnChoice, WhatATeamIsFasterAtIsAlwaysShared) {
  InTurnChoice choice;
  EXPECT_EQ(execute(choice, 1000, 1'000'000, 1'900'000), 0);
}

TEST(InTurnChoice, TheFasterWayIsTaken) {
  InTurnChoice choice;
  EXPECT_FALSE(execute_once(choice, 60'000, 10'000)) << "the first is shared";
  const int in_turn = execute(choice, 1000, 60'000, 10'000);
  EXPECT_GE(in_turn, 985);
  EXPECT_LT(in_turn, 1000) << "the other is tried now and then";
}

TEST(InTurnChoice, WrongSamplesCostLittle) {
  InTurnChoice choice;
  int in_turn = 0;
  for (int i = 0; i < 1000; ++i) {
    const bool is_in_turn = choice.prefers_turn(kTasks, 2);
    in_turn += is_in_turn ? 1 : 0;
    if (is_in_turn)
      choice.took_in_turn(1'000'000);
    else
      choice.took_shared(600'000, 500'000);
  }
  EXPECT_GE(in_turn, 1);
  EXPECT_LE(in_turn, 15);
}

TEST(InTurnChoice, OneSlowExecutionIsForgottenSoon) {
  InTurnChoice choice;
  execute(choice, 500, 60'000, 10'000);
  while (!choice.prefers_turn(kTasks, 2)) choice.took_shared(60'000, 10'000);
  choice.took_in_turn(100'000);
  EXPECT_GE(execute(choice, 600, 60'000, 10'000), 380);
}

// Where no sample was taken: less than a task's hand-over takes.
TEST(InTurnChoice, TinyTasksAreTriedWithoutSamples) {
  InTurnChoice choice;
  choice.took_shared(60'000, INT64_MAX);
  EXPECT_FALSE(choice.prefers_turn(kTasks, 2)) << "the first one says little";
  choice.took_shared(60'000, INT64_MAX);
  EXPECT_TRUE(choice.prefers_turn(kTasks, 2));
  InTurnChoice other;
  for (int i = 0; i < 2; ++i) other.took_shared(60'000, INT64_MAX);
  EXPECT_FALSE(other.prefers_turn(kTasks, 64)) << "in turn they may take 64 times as long";
}

// Bodies that take most of what the team spent are not, however short each is.
TEST(InTurnChoice, TinyTasksAreNotTriedWhereSharingCostsLittle) {
  InTurnChoice choice;
  EXPECT_EQ(execute(choice, 1000, 60'000, 110'000), 0);
  InTurnChoice other;
  EXPECT_GE(execute(other, 1000, 60'000, 80'000), 1);
}

TEST(InTurnChoice, TasksThatGrowAreSharedAgain) {
  InTurnChoice choice;
  execute(choice, 100, 60'000, 10'000);
  EXPECT_LE(execute(choice, 100, 1'000'000, 2'000'000), 2);
  EXPECT_EQ(execute(choice, 100, 1'000'000, 2'000'000), 0);
}

TEST(InTurnChoice, TasksThatShrinkAreTriedInTurn) {
  InTurnChoice choice;
  execute(choice, 100, 1'000'000, 2'000'000);
  EXPECT_GE(execute(choice, 100, 60'000, 10'000), 85);
}

// What was too small to be shared when it was recorded.
TEST(InTurnChoice, TinyTasksDoWithoutAGraphUntilItHasPaid) {
  InTurnChoice choice(12'000);
  int in_turn = 0;
  while (in_turn <= 300 && execute_once(choice, 20'000, 3'000)) ++in_turn;
  EXPECT_GE(in_turn, 100) << "a thousand tasks of 3 ns";
  EXPECT_LE(in_turn, 300);
  EXPECT_GE(execute(choice, 1000, 20'000, 3'000), 980);
}

TEST(InTurnChoice, TasksThatGrewAreSharedSoon) {
  InTurnChoice choice(12'000);
  EXPECT_LE(execute(choice, 1000, 600'000, 1'000'000), 15);
}

TEST(InTurnChoice, TasksOfWhichSomeWereSharedAreSharedAgain) {
  InTurnChoice choice(11'000);
  EXPECT_EQ(execute(choice, 5, 8'000, 14'000), 1);
}

}  // namespace
}  // namespace heddle
