#include "sched/lineage.hpp"

#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "task/task.hpp"

namespace heddle {
namespace {

class LineageTest : public ::testing::Test {
 protected:
  // Which of the tasks what is queued now descends from, as far as it is known: their numbers.
  std::vector<int> ancestors() {
    std::vector<int> found;
    for (int i = 0; i < kTasks; ++i)
      if (lineage_.descends_from(task(i), lineage_.level())) found.push_back(i);
    return found;
  }
  const Task& task(int number) { return tasks_[static_cast<std::size_t>(number)]; }

  static constexpr int kTasks = Lineage::kLevels + 4;
  Lineage lineage_;
  std::array<Task, kTasks> tasks_;
};

using Numbers = std::vector<int>;

TEST_F(LineageTest, WhatIsQueuedOnALevelDescendsFromThoseBelowToo) {
  EXPECT_EQ(lineage_.level(), Lineage::kNone);
  lineage_.begin_level(nullptr, &task(0), {3, Lineage::kNone});
  EXPECT_EQ(ancestors(), (Numbers{0}));
  lineage_.begin_level(&task(1), &task(2), {4, 1});
  EXPECT_EQ(ancestors(), (Numbers{0, 2}));
  EXPECT_EQ(lineage_.origin(0).worker, 3);
  EXPECT_EQ(lineage_.origin(1).worker, 4);
  EXPECT_EQ(lineage_.origin(1).level, 1);
}

TEST_F(LineageTest, ANewTheftUnderAConstraintEndsWhatWasStolenUnderItAndAbove) {
  lineage_.begin_level(nullptr, &task(0), {});
  lineage_.begin_level(&task(1), &task(2), {});
  lineage_.begin_level(&task(3), &task(4), {});
  lineage_.begin_level(&task(1), &task(5), {});
  EXPECT_EQ(ancestors(), (Numbers{0, 5}));
}

TEST_F(LineageTest, ALookEndsTheLevelsAbove) {
  lineage_.begin_level(nullptr, &task(0), {});
  lineage_.begin_level(&task(1), &task(2), {});
  lineage_.end_levels_above(&task(3));
  EXPECT_EQ(ancestors(), (Numbers{0, 2})) << "it waits in a task on top of them";
  lineage_.end_levels_above(&task(1));
  EXPECT_EQ(ancestors(), (Numbers{0}));
  lineage_.end_levels_above(nullptr);
  EXPECT_EQ(ancestors(), Numbers());
}

TEST_F(LineageTest, ThereIsRoomForSomeLevels) {
  for (int i = 0; i < kTasks; ++i) lineage_.begin_level(i == 0 ? nullptr : &task(i), &task(i), {});
  const Numbers known = ancestors();
  EXPECT_EQ(known.size(), static_cast<std::size_t>(Lineage::kLevels));
  EXPECT_EQ(known.back(), kTasks - 1) << "the newest is";
}

}  // namespace
}  // namespace heddle
