#include "sched/home_table.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "sched/lengths.hpp"

namespace heddle {
namespace {

TEST(HomeTable, ATasksSlotIsOfWhatItWritesFirstOrElseReadsFirst) {
  int a, b, c;
  const Dependence reads_a{&a, AccessKind::kIn, false}, reads_b{&b, AccessKind::kIn, false};
  const Dependence writes_b{&b, AccessKind::kOut, false}, joins_c{&c, AccessKind::kInOutSet, false};
  const Dependence all{nullptr, AccessKind::kOut, true};
  const auto slot = [](std::vector<Dependence> list) { return HomeTable::slot_of(list); };
  EXPECT_EQ(slot({reads_a, writes_b, joins_c}), HomeTable::slot_of(&b));
  EXPECT_EQ(slot({joins_c, writes_b}), HomeTable::slot_of(&c));
  EXPECT_EQ(slot({all, reads_a, reads_b}), HomeTable::slot_of(&a));
  EXPECT_EQ(slot({all}), HomeTable::kNoSlot);
  EXPECT_EQ(slot({}), HomeTable::kNoSlot);
}

TEST(HomeTable, NoAddressHasNoSlotAndNeighboursHaveTheirOwn) {
  const std::vector<char> memory(1 << 16);
  std::vector<int> uses(1 << 16);
  for (std::size_t i = 0; i < memory.size(); i += 64) {
    const std::uint16_t slot = HomeTable::slot_of(&memory[i]);
    EXPECT_NE(slot, HomeTable::kNoSlot);
    EXPECT_LE(++uses[slot], 2);
  }
}

TEST(HomeTable, RemembersTheLastWorkerOfASlot) {
  const auto table = std::make_unique<HomeTable>();
  EXPECT_EQ(table->home_of(7), HomeTable::kNowhere);
  table->record(7, 0);
  EXPECT_EQ(table->home_of(7), 0);
  table->record(7, 4095);
  EXPECT_EQ(table->home_of(7), 4095);
  EXPECT_EQ(table->home_of(8), HomeTable::kNowhere);
}

TEST(Homes, AreKeptWhileTheyAreNotUsed) {
  Homes homes;
  EXPECT_EQ(homes.active(), nullptr);
  homes.set_active(true);
  HomeTable* const table = homes.active();
  ASSERT_NE(table, nullptr);
  table->record(3, 1);
  homes.set_active(false);
  EXPECT_EQ(homes.active(), nullptr);
  homes.set_active(true);
  EXPECT_EQ(homes.active(), table);
  EXPECT_EQ(table->home_of(3), 1);
}

TEST(TaskLengthVote, FourLongTasksOneAfterTheOtherMakeTasksLong) {
  TaskLengthVote vote;
  for (int i = 0; i < 4; ++i) {
    EXPECT_FALSE(vote.is_long());
    ASSERT_TRUE(vote.is_due()) << "the first task, and each after a long one, is looked at";
    vote.judge(5000);
  }
  EXPECT_TRUE(vote.is_long());
}

TEST(TaskLengthVote, FewShortTasksAmongLongOnesChangeNothing) {
  TaskLengthVote vote;
  const auto next = [&vote](std::int64_t length) {
    while (!vote.is_due()) continue;
    vote.judge(length);
  };
  for (int i = 0; i < 4; ++i) next(5000);
  for (int i = 0; i < 20; ++i) {
    next(100);
    next(5000);
    EXPECT_TRUE(vote.is_long());
  }
  for (int i = 0; i < 8; ++i) next(100);
  EXPECT_FALSE(vote.is_long());
}

TEST(TaskLengthVote, ShortTasksAreSeldomLookedAt) {
  TaskLengthVote vote;
  int looks = 0;
  for (int i = 0; i < 6400; ++i) {
    if (!vote.is_due()) continue;
    ++looks;
    vote.judge(20);
  }
  EXPECT_LE(looks, 101);
  EXPECT_GE(looks, 99);
}

}  // namespace
}  // namespace heddle
