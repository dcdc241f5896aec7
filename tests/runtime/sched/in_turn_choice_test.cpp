#include "sched/in_turn_choice.hpp"

#include <gtest/gtest.h>

namespace heddle {
namespace {

constexpr std::size_t kTasks = 1000;

// Executes the graph so often. Returns how often in turn.
int execute(InTurnChoice& choice, int times, std::int64_t shared_ns, std::int64_t in_turn_ns) {
  int in_turn = 0;
  for (int i = 0; i < times; ++i) {
    const bool is_in_turn = choice.prefers_turn(kTasks, 2);
    in_turn += is_in_turn ? 1 : 0;
    choice.took(is_in_turn, is_in_turn ? in_turn_ns : shared_ns);
  }
  return in_turn;
}

TEST(InTurnChoice, LongTasksAreAlwaysShared) {
  InTurnChoice choice;
  EXPECT_EQ(execute(choice, 1000, 1'000'000, 1), 0);
}

TEST(InTurnChoice, TheFasterWayIsTaken) {
  InTurnChoice choice;
  EXPECT_FALSE(choice.prefers_turn(kTasks, 2)) << "the first is shared";
  choice.took(false, 60'000);
  const int in_turn = execute(choice, 1000, 60'000, 10'000);
  EXPECT_GE(in_turn, 985);
  EXPECT_LT(in_turn, 1000) << "the other is tried now and then";
  InTurnChoice other;
  EXPECT_LE(execute(other, 1000, 60'000, 100'000), 15);
}

TEST(InTurnChoice, OneSlowExecutionIsForgottenSoon) {
  InTurnChoice choice;
  execute(choice, 500, 60'000, 10'000);
  while (!choice.prefers_turn(kTasks, 2)) choice.took(false, 60'000);
  choice.took(true, 100'000);
  EXPECT_GE(execute(choice, 600, 60'000, 10'000), 380);
}

// In turn it may take as many times as long as there are members.
TEST(InTurnChoice, LargeTeamsShareWhatSmallOnesMayNot) {
  InTurnChoice choice;
  int in_turn = 0;
  for (int i = 0; i < 1000; ++i) {
    const bool is_in_turn = choice.prefers_turn(kTasks, 128);
    in_turn += is_in_turn ? 1 : 0;
    choice.took(is_in_turn, is_in_turn ? 10'000'000 : 80'000);
  }
  EXPECT_EQ(in_turn, 0);
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

}  // namespace
}  // namespace heddle
