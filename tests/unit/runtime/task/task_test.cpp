#include "task/task.hpp"

#include <gtest/gtest.h>

namespace heddle {
namespace {

TEST(Task, IsFreeOnlyWhenItAndAllItsChildrenAreComplete) {
  Task parent;
  int waiter;
  parent.child_created();
  parent.child_created();
  EXPECT_FALSE(parent.children_complete());
  EXPECT_FALSE(parent.children_completed(1, &waiter));
  EXPECT_FALSE(parent.completed());
  EXPECT_TRUE(parent.children_completed(1, &waiter));
  EXPECT_EQ(waiter, Task::kNobody);
}

TEST(Task, StaysWhileADependenceTableNamesIt) {
  using Closing = SuccessorList<>::Closing;
  Task plain;
  plain.add_table_reference();
  plain.add_table_reference();
  EXPECT_TRUE(plain.is_plain());
  EXPECT_FALSE(plain.successors.close(Closing::kLeaves).was_abandoned);
  EXPECT_FALSE(plain.drop_table_reference());
  EXPECT_TRUE(plain.drop_table_reference());

  Task counted;
  counted.add_table_reference();
  counted.add_reference();
  EXPECT_FALSE(counted.successors.close(Closing::kHolds).was_abandoned);
  EXPECT_FALSE(counted.completed());
  EXPECT_TRUE(counted.drop_table_reference());
}

TEST(Task, IsPlainUnlessSomebodyMayStillAskForIt) {
  Task task;
  int waiter;
  task.child_created();
  task.child_created();
  EXPECT_FALSE(task.is_plain());
  task.child_completed_by_owner();
  EXPECT_FALSE(task.is_plain());
  task.child_completed_by_owner();
  EXPECT_TRUE(task.is_plain());
  task.child_created();
  task.children_completed(1, &waiter);
  EXPECT_FALSE(task.is_plain());
  EXPECT_TRUE(task.children_complete());
  EXPECT_TRUE(task.completed());
}

TEST(Task, StaysWhileAGrandchildMayAskForItsAncestors) {
  Task task;
  EXPECT_TRUE(task.retain());
  EXPECT_FALSE(task.completed());
  EXPECT_TRUE(task.drop_retained());
}

TEST(Task, HasDescendantsWhileAChildOrAGrandchildIsIncomplete) {
  Task task;
  int waiter;
  EXPECT_FALSE(task.has_incomplete_descendants());
  task.child_created();
  EXPECT_TRUE(task.has_incomplete_descendants());
  EXPECT_TRUE(task.retain());  // the child completes, its own child does not
  task.children_completed(1, &waiter);
  EXPECT_TRUE(task.has_incomplete_descendants());
  EXPECT_FALSE(task.drop_retained());
  EXPECT_FALSE(task.has_incomplete_descendants());
}

TEST(Task, TheLastChildLearnsWhoWaits) {
  Task parent;
  int waiter;
  parent.child_created();
  parent.child_created();
  parent.children_completed(1, &waiter);
  parent.begin_child_wait(5);
  EXPECT_FALSE(parent.waited_children_complete());
  EXPECT_FALSE(parent.children_completed(1, &waiter));
  EXPECT_EQ(waiter, 5);
  EXPECT_TRUE(parent.waited_children_complete());
  parent.end_child_wait(5);
  EXPECT_TRUE(parent.children_complete());
  parent.child_created();
  EXPECT_FALSE(parent.children_complete());
  parent.children_completed(1, &waiter);
  EXPECT_EQ(waiter, Task::kNobody);
  EXPECT_TRUE(parent.completed());
}

TEST(Task, CountsMoreChildrenOverItsLifeThanItsCounterHolds) {
  Task parent;
  int waiter;
  for (std::uint32_t i = 0; i < (1u << 27) + 1000; ++i) {
    parent.child_created();
    parent.children_completed(1, &waiter);
  }
  EXPECT_TRUE(parent.children_complete());
  EXPECT_TRUE(parent.completed());
}

TEST(Task, CountsMoreChildrenOfOthersThanItsCounterHolds) {
  Task parent;
  int waiter;
  for (std::uint32_t i = 0; i < (1u << 27) + 1000; ++i) {
    parent.child_created();
    parent.child_created_elsewhere();
    parent.child_completed_by_owner();
    parent.child_completed_by_owner();
  }
  EXPECT_TRUE(parent.children_complete());
  parent.child_created();
  EXPECT_FALSE(parent.children_complete());
  EXPECT_FALSE(parent.children_completed(1, &waiter));
  EXPECT_TRUE(parent.children_complete());
}

TEST(Task, CountsChildrenThatOthersCreateInItsStead) {
  Task parent;
  int waiter;
  parent.child_created();
  parent.child_created_elsewhere();
  parent.child_created_elsewhere();
  EXPECT_FALSE(parent.is_plain());
  parent.child_completed_by_owner();
  parent.child_completed_by_owner();  // more than the owner created
  EXPECT_FALSE(parent.children_complete());
  EXPECT_TRUE(parent.has_incomplete_descendants());
  parent.begin_child_wait(3);
  EXPECT_FALSE(parent.waited_children_complete());
  EXPECT_FALSE(parent.children_completed(1, &waiter));
  EXPECT_EQ(waiter, 3);
  parent.end_child_wait(3);
  EXPECT_TRUE(parent.children_complete());
  EXPECT_FALSE(parent.has_incomplete_descendants());
  EXPECT_FALSE(parent.has_more_children(0));
  EXPECT_TRUE(parent.completed());
}

TEST(Task, BecomesPlainOnceItsChildrenAreComplete) {
  Task task;
  int waiter;
  task.child_created();
  task.child_created();
  task.children_completed(1, &waiter);
  EXPECT_FALSE(task.become_plain());
  EXPECT_TRUE(task.retain());  // the second leaves a child of its own
  task.child_completed_by_owner();
  EXPECT_FALSE(task.become_plain());
  task.drop_retained();
  EXPECT_TRUE(task.become_plain());
  EXPECT_TRUE(task.is_plain());
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
  WaitCount<> count;
  count.add(2);
  count.begin_wait(3);
  EXPECT_EQ(count.done(), WaitCount<>::kNobody);
  EXPECT_EQ(count.done(), 3);
  EXPECT_TRUE(count.is_zero());
  count.end_wait(3);
  count.add();
  EXPECT_EQ(count.done(), WaitCount<>::kNobody);
}

}  // namespace
}  // namespace heddle
