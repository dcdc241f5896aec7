#include "sched/chosen_order.hpp"

#include <gtest/gtest.h>

#include <fstream>

namespace heddle {
namespace {

std::vector<std::uint64_t> answers(OrderPolicy policy) {
  std::vector<std::uint64_t> all;
  for (int i = 0; i < 100; ++i) {
    all.push_back(policy.rank("", all.size()));
    all.push_back(policy.runs_first(0, "", false));
    all.push_back(policy.delay_us());
  }
  return all;
}

TEST(OrderPolicy, AnswersTheSameForTheSameSeed) {
  EXPECT_EQ(answers(OrderPolicy::fuzz(7)), answers(OrderPolicy::fuzz(7)));
  EXPECT_NE(answers(OrderPolicy::fuzz(7)), answers(OrderPolicy::fuzz(11)));
}

TEST(OrderPolicy, LetsCreatorsOfSomeSeedsNeverRunTasksAndOthersOften) {
  OrderPolicy lazy = OrderPolicy::fuzz(4), eager = OrderPolicy::fuzz(5);
  int lazily = 0, eagerly = 0;
  for (int i = 0; i < 1000; ++i) {
    lazily += lazy.runs_first(0, "", false);
    eagerly += eager.runs_first(0, "", false);
  }
  EXPECT_EQ(lazily, 0);
  EXPECT_GT(eagerly, 400);
  EXPECT_LT(eagerly, 600);
}

TEST(OrderPolicy, DelaysSeldomAndBriefly) {
  OrderPolicy policy = OrderPolicy::fuzz(1);
  int delayed = 0;
  for (int i = 0; i < 3200; ++i) {
    const std::uint32_t us = policy.delay_us();
    EXPECT_LT(us, 100u);
    delayed += us != 0;
  }
  EXPECT_GT(delayed, 50);
  EXPECT_LT(delayed, 200);
}

TEST(OrderPolicy, ReplaysTheOrderOfItsListAndPutsStrangersLast) {
  OrderPolicy policy = OrderPolicy::replay({"1:0.1", "1:0~1", "1:0.0"});
  const auto first = policy.rank("1:0.1", 0), last = policy.rank("1:0.0", 0);
  const auto stranger = policy.rank("1:0.9", 0), next_stranger = policy.rank("1:0.8", 0);
  EXPECT_LT(first, last);
  EXPECT_LT(last, stranger);
  EXPECT_LT(stranger, next_stranger);
  EXPECT_TRUE(policy.runs_first(first, "1:0~1", false));
  EXPECT_FALSE(policy.runs_first(last, "1:0~1", false));
  EXPECT_TRUE(policy.runs_first(stranger, "1:0~9", false));
}

TEST(OrderPolicy, IsSerialWithOneThreadAndInOrderOfCreationWithSeveral) {
  OrderPolicy policy = OrderPolicy::serial();
  const auto first = policy.rank("b", 2), second = policy.rank("a", 1);
  EXPECT_GT(first, second);
  EXPECT_TRUE(policy.runs_first(1, "", false));
  EXPECT_FALSE(policy.runs_first(1, "", true));
  EXPECT_EQ(policy.delay_us(), 0u);
}

TEST(ReadOrder, TakesStartsAndGoingOnFromALogAndNothingElse) {
  const std::string file = testing::TempDir() + "order_policy_test.log";
  std::ofstream(file)
      << "heddle order 1\nc 0 0x10 - ./a\ns 1:0.0 0 0 !\ne 1:0.0 0\ng 1:0~0 0\nu 1:0.1 0 0\ns 1:0.2+1 0 3\n";
  EXPECT_EQ(read_order(file), (std::vector<std::string>{"1:0.0", "1:0~0", "1:0.2+1"}));
  std::ofstream(file) << "something else\n";
  EXPECT_FALSE(read_order(file));
  EXPECT_FALSE(read_order(file + ".none"));
}

}  // namespace
}  // namespace heddle
