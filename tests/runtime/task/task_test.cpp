#include "task/task.hpp"

#include <gtest/gtest.h>

#include "task/wait_count.hpp"

namespace heddle {
namespace {

TEST(Task, IsFreeOnlyWhenItAndAllItsChildrenAreComplete) {
  Task parent;
  int waiter;
  parent.child_created();
  parent.child_created();
  EXPECT_FALSE(parent.children_complete());
  EXPECT_FALSE(parent.child_completed(&waiter));
  EXPECT_FALSE(parent.completed());
  EXPECT_TRUE(parent.child_completed(&waiter));
  EXPECT_EQ(waiter, Task::kNobody);
}

TEST(Task, StaysWhileADependenceTableNamesIt) {
  Task task;
  task.name();
  task.name();
  EXPECT_FALSE(task.completed());
  EXPECT_FALSE(task.unname());
  EXPECT_TRUE(task.unname());
}

TEST(Task, StaysWhileAGrandchildMayAskForItsAncestors) {
  Task task;
  EXPECT_TRUE(task.keep());
  EXPECT_FALSE(task.completed());
  EXPECT_TRUE(task.unkeep());
}

TEST(Task, HasDescendantsWhileAChildOrAGrandchildIsIncomplete) {
  Task task;
  int waiter;
  EXPECT_FALSE(task.has_incomplete_descendants());
  task.child_created();
  EXPECT_TRUE(task.has_incomplete_descendants());
  EXPECT_TRUE(task.keep());  // the child completes, its own child does not
  task.child_completed(&waiter);
  EXPECT_TRUE(task.has_incomplete_descendants());
  EXPECT_FALSE(task.unkeep());
  EXPECT_FALSE(task.has_incomplete_descendants());
}

TEST(Task, TheLastChildLearnsWhoWaits) {
  Task parent;
  int waiter;
  parent.child_created();
  parent.child_created();
  parent.child_completed(&waiter);
  parent.begin_child_wait(5);
  EXPECT_FALSE(parent.waited_children_complete());
  EXPECT_FALSE(parent.child_completed(&waiter));
  EXPECT_EQ(waiter, 5);
  EXPECT_TRUE(parent.waited_children_complete());
  parent.end_child_wait(5);
  EXPECT_TRUE(parent.children_complete());
  parent.child_created();
  EXPECT_FALSE(parent.children_complete());
  parent.child_completed(&waiter);
  EXPECT_EQ(waiter, Task::kNobody);
  EXPECT_TRUE(parent.completed());
}

TEST(Task, CountsMoreChildrenOverItsLifeThanItsCounterHolds) {
  Task parent;
  int waiter;
  for (std::uint32_t i = 0; i < (1u << 27) + 1000; ++i) {
    parent.child_created();
    parent.child_completed(&waiter);
  }
  EXPECT_TRUE(parent.children_complete());
  EXPECT_TRUE(parent.completed());
}

TEST(Task, DescendsFromItsAncestorsOnly) {
  Task a, b, c, stranger;
  b.parent = &a;
  b.depth = 1;
  c.parent = &b;
  c.depth = 2;
  stranger.depth = 1;
  EXPECT_TRUE(descends_from(c, a));
  EXPECT_TRUE(descends_from(c, c));
  EXPECT_FALSE(descends_from(a, c));
  EXPECT_FALSE(descends_from(c, stranger));
}

TEST(WaitCount, TellsWhoWaitsOnlyWhenItReachesZero) {
  WaitCount count;
  count.add(2);
  count.begin_wait(3);
  EXPECT_EQ(count.done(), WaitCount::kNobody);
  EXPECT_EQ(count.done(), 3);
  EXPECT_TRUE(count.is_zero());
  count.end_wait(3);
  count.add();
  EXPECT_EQ(count.done(), WaitCount::kNobody);
}

}  // namespace
}  // namespace heddle
