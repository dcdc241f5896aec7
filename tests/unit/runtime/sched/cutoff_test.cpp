#include "sched/spawn_policy.hpp"

#include <gtest/gtest.h>

namespace heddle {
namespace {

constexpr std::int64_t kShort = 100, kLong = 5000;

// Executes one task at its creation. Returns whether its length was taken.
bool execute(Cutoff& cutoff, std::int64_t length) {
  if (!cutoff.is_due()) return false;
  cutoff.judge(length, cutoff.executed());
  return true;
}

TEST(Cutoff, ShortTasksAreExecutedAtTheirCreationAndSeldomMeasured) {
  Cutoff cutoff;
  int measured = 0;
  for (int i = 0; i < 6400; ++i) {
    ASSERT_TRUE(cutoff.allows());
    measured += execute(cutoff, kShort) ? 1 : 0;
  }
  EXPECT_GE(measured, 99);
  EXPECT_LE(measured, 101);
}

TEST(Cutoff, LongTasksAreTriedMoreAndMoreSeldom) {
  Cutoff cutoff;
  int executed = 0;
  for (int i = 0; i < 100'000; ++i) {
    if (!cutoff.allows()) continue;
    ++executed;
    EXPECT_TRUE(execute(cutoff, kLong)) << "after a long one each is measured";
  }
  EXPECT_GE(executed, 100'000 / 1024);
  EXPECT_LE(executed, 100'000 / 1024 + 20);
}

TEST(Cutoff, ShortTasksEndThePause) {
  Cutoff cutoff;
  for (int i = 0; i < 2000; ++i)
    if (cutoff.allows()) execute(cutoff, kLong);
  int before = 0;
  while (!cutoff.allows()) ++before;
  EXPECT_LE(before, 1024);
  execute(cutoff, kShort);
  for (int i = 0; i < 64 * 8; ++i) {
    ASSERT_TRUE(cutoff.allows());
    execute(cutoff, kShort);
  }
}

// The task that is measured contains a recursion of others: what counts is how long each of them lasts.
TEST(Cutoff, RecursionsAreShortWhereTheirTasksAre) {
  Cutoff cutoff;
  for (int i = 0; i < 100; ++i) {
    ASSERT_TRUE(cutoff.allows());
    const bool is_measured = cutoff.is_due();
    const std::uint64_t since = cutoff.executed();
    for (int inner = 1; inner < 1000; ++inner) execute(cutoff, kShort);
    if (is_measured) cutoff.judge(1000 * kShort, since);
  }
}

// Before the first has ended: it may be a producer itself.
TEST(Cutoff, LongTasksWithinOneAreNoticed) {
  Cutoff cutoff;
  ASSERT_TRUE(cutoff.is_due());
  int executed = 0;
  for (int i = 0; i < 1000; ++i) {
    if (!cutoff.allows()) continue;
    execute(cutoff, kLong);
    ++executed;
  }
  EXPECT_LE(executed, 15);
}

}  // namespace
}  // namespace heddle
