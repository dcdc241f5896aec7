#include "sched/ready_set.hpp"

#include <gtest/gtest.h>

#include <deque>
#include <vector>

namespace heddle {
namespace {

class ReadySetTest : public ::testing::Test {
 protected:
  Task& task(std::int32_t priority = 0, Task* parent = nullptr, unsigned flags = 0) {
    Task& t = tasks_.emplace_back();
    t.priority = priority;
    t.parent = parent;
    t.depth = parent != nullptr ? static_cast<std::uint16_t>(parent->depth + 1) : 0;
    t.flags = static_cast<std::uint16_t>(flags);
    return t;
  }
  Task* take(int worker, const Task* constraint = nullptr, Reach reach = Reach::kStartable) {
    moved_ = left_some_ = false;
    const StartRule rule{constraint, nullptr};
    if (Task* task = ready_.take_own(worker, rule, &moved_)) return task;
    if (Task* task = ready_.take_elsewhere(worker, 3, rule, reach, &moved_, &left_some_)) return task;
    return ready_.take_background(worker, 3, rule, &moved_);
  }
  ReadySet ready_{3};
  std::deque<Task> tasks_;
  bool moved_ = false;
  bool left_some_ = false;
};

TEST_F(ReadySetTest, OwnYoungestFirstThenAnothersOldest) {
  Task &a = task(), &b = task(), &c = task();
  ready_.push(0, a);
  ready_.push(0, b);
  ready_.push(1, c);
  EXPECT_EQ(take(0), &b);
  EXPECT_EQ(take(2), &a);
  EXPECT_EQ(take(0), &c);
  EXPECT_EQ(take(0), nullptr);
}

TEST_F(ReadySetTest, WhatIsInTheBackgroundComesLastAndCanBeRecalled) {
  Task &first = task(-1), &second = task(-1), &later = task(-2), &left = task(-3), &other = task();
  Task& background = task(Task::kBackground);
  for (Task* t : {&background, &left, &later, &first, &second}) ready_.push(0, *t);
  ready_.push(1, other);
  const auto is_promoted = [&](const Task& t) {
    EXPECT_NE(&t, &background);
    return &t != &left;
  };
  Task* const promoted = ready_.promote(is_promoted);
  ASSERT_EQ(promoted, &later);
  ASSERT_EQ(later.next, &second);
  ASSERT_EQ(second.next, &first);
  EXPECT_EQ(first.next, nullptr);
  EXPECT_EQ(ready_.promote(is_promoted), nullptr);
  EXPECT_EQ(take(0), &other);
  EXPECT_EQ(take(0), &left);
  EXPECT_EQ(take(0), &background);
}

TEST_F(ReadySetTest, HigherPriorityBeforeLowerAndBeforeOwn) {
  Task &own = task(), &low = task(1), &high = task(7), &second_high = task(7);
  ready_.push(0, own);
  ready_.push(1, low);
  ready_.push(2, high);
  ready_.push(1, second_high);
  EXPECT_EQ(take(0), &high);
  EXPECT_EQ(take(0), &second_high);
  EXPECT_EQ(take(0), &low);
  EXPECT_EQ(take(0), &own);
}

TEST_F(ReadySetTest, AConstrainedWorkerStartsOnlyDescendantsAndMovesTheRestOfItsOwnToTheOverflowList) {
  Task &suspended = task(), &stranger = task();
  Task &child = task(0, &suspended), &grandchild = task(0, &child);
  ready_.push(0, grandchild);
  ready_.push(0, stranger);
  EXPECT_EQ(take(0, &suspended), &grandchild);
  EXPECT_TRUE(moved_);
  EXPECT_EQ(take(0, &suspended), nullptr);
  EXPECT_EQ(take(1), &stranger);
}

TEST_F(ReadySetTest, AConstrainedWorkerTakesOnlyOfWhoTookItsChildrenOrOfWhoTookOfThose) {
  Task &suspended = task(), &stranger = task();
  Task &child = task(0, &suspended), &grandchild = task(0, &child), &younger = task(0, &child);
  ready_.push(1, stranger);
  EXPECT_EQ(take(0, &suspended), nullptr);
  EXPECT_TRUE(left_some_);
  EXPECT_FALSE(moved_);
  EXPECT_EQ(take(1), &stranger);

  ready_.push(0, child);
  EXPECT_EQ(take(1), &child);
  ready_.push(1, grandchild);
  ready_.push(1, younger);
  EXPECT_EQ(take(2), &grandchild);
  EXPECT_EQ(take(0, &suspended), &younger) << "of worker 1, which has taken the child";
  Task& great_grandchild = task(0, &grandchild);
  ready_.push(2, great_grandchild);
  EXPECT_EQ(take(0, &suspended), &great_grandchild) << "of worker 2, which has taken of worker 1";
}

// Each worker waits in what it has stolen, and steals a descendant of that: the first finds work at the
// second while that executes the last.
TEST_F(ReadySetTest, AWorkerHelpsAllThatItHasStolenOf) {
  Task &first = task(), &child = task(0, &first), &grandchild = task(0, &child);
  Task &last = task(0, &grandchild), &queued = task(0, &last);
  ready_.push(0, child);
  EXPECT_EQ(take(1), &child);
  ready_.push(1, grandchild);
  EXPECT_EQ(take(2), &grandchild);
  ready_.push(2, last);
  EXPECT_EQ(take(1, &child), &last) << "of worker 2, which has taken of its own";
  ready_.push(1, queued);
  EXPECT_EQ(take(2, &grandchild), &queued);
  Task& another = task(0, &queued);
  ready_.push(2, another);
  EXPECT_EQ(take(0, &first), &another) << "of worker 2, by way of worker 1";
}

TEST_F(ReadySetTest, AWorkerHelpsNobodyAnyMoreOnceItLooksForWorkAgain) {
  Task &suspended = task(), &child = task(0, &suspended), &stranger = task();
  ready_.push(0, child);
  EXPECT_EQ(take(1), &child);
  EXPECT_EQ(take(1), nullptr);
  ready_.push(1, stranger);
  EXPECT_EQ(take(0, &suspended), nullptr);
  EXPECT_FALSE(moved_);
}

// As where a task has created some and not waited for them.
TEST_F(ReadySetTest, AtAnybodysAConstrainedWorkerFindsDescendantsThatNobodyKnowsOf) {
  Task &suspended = task(), &stranger = task(), &child = task(0, &suspended);
  ready_.push(1, stranger);
  ready_.push(2, child);
  EXPECT_EQ(take(0, &suspended), nullptr);
  EXPECT_EQ(take(0, &suspended, Reach::kFirst), &child);
  EXPECT_TRUE(moved_);
  EXPECT_EQ(take(1), &stranger) << "of the overflow list";
}

// A thread that started it out of turn has left an entry, and the parent may be gone.
TEST_F(ReadySetTest, TheParentOfATaskThatWasStartedOutOfTurnIsNotLookedAt) {
  Task &outer = task(), &suspended = task(0, &outer), &child = task(0, &suspended, Task::kHasHandle);
  suspended.owner.store(2);
  ready_.push_overflow(child);
  EXPECT_EQ(take(1), &child);
  Task &waits_in = task(), &stolen = task(0, &waits_in), &queued = task(0, &stolen);
  ready_.push(0, stolen);
  EXPECT_EQ(take(2), &stolen);
  ready_.push(1, queued);
  EXPECT_EQ(take(0, &waits_in), nullptr) << "of worker 1 no way leads to worker 2";
}

TEST_F(ReadySetTest, WhoTookAChildFromTheOverflowListHelpsToo) {
  Task &suspended = task(), &child = task(0, &suspended), &grandchild = task(0, &child);
  ready_.push_overflow(child);
  EXPECT_EQ(take(1), &child);
  ready_.push(1, grandchild);
  EXPECT_EQ(take(0, &suspended), &grandchild);
}

TEST_F(ReadySetTest, UnderAnImplicitTaskEveryoneIsLookedAt) {
  Task &implicit = task(0, nullptr, Task::kImplicit), &child = task(0, &implicit);
  ready_.push(1, child);
  EXPECT_EQ(take(0, &implicit), &child);
}

TEST_F(ReadySetTest, AnUntiedTaskIsBoundByTheConstraintTooSinceItHasNoStackOfItsOwn) {
  Task &suspended = task(), &untied = task(0, nullptr, Task::kUntied);
  ready_.push(1, untied);
  EXPECT_EQ(take(0, &suspended, Reach::kAll), nullptr);
  EXPECT_EQ(take(2), &untied);
}

TEST_F(ReadySetTest, TheOverflowListWaitsForWhoMayStartWhatIsThere) {
  Task &suspended = task(), &stranger = task();
  ready_.push_overflow(stranger);
  EXPECT_EQ(take(0, &suspended), nullptr);
  EXPECT_EQ(take(1, &suspended), nullptr);
  EXPECT_EQ(take(1), &stranger);
}

TEST_F(ReadySetTest, WhatWasSentComesAfterTheOwnAndBeforeOthers) {
  Task &own = task(), &first = task(), &second = task(), &other = task();
  ready_.push(1, other);
  EXPECT_TRUE(ready_.post(0, first));
  EXPECT_TRUE(ready_.post(0, second));
  ready_.push(0, own);
  EXPECT_EQ(take(0), &own);
  EXPECT_EQ(take(0), &first);
  EXPECT_EQ(take(0), &second);
  EXPECT_EQ(take(0), &other);
}

TEST_F(ReadySetTest, WhatWasPostedIsStolenWhereNothingElseIs) {
  Task &posted = task(), &queued = task();
  ready_.post(0, posted);
  ready_.push(1, queued);
  EXPECT_EQ(take(2), &queued);
  EXPECT_EQ(take(2), &posted);
  EXPECT_EQ(take(0), nullptr);
}

TEST_F(ReadySetTest, WhatWasPostedAndItsWorkerMayNotStartIsForOthers) {
  Task &suspended = task(), &stranger = task(), &child = task(0, &suspended);
  ready_.post(0, stranger);
  ready_.post(0, child);
  EXPECT_EQ(take(0, &suspended), &child);
  EXPECT_TRUE(moved_);
  EXPECT_EQ(take(0, &suspended), nullptr);
  EXPECT_EQ(take(1, &suspended), nullptr);
  EXPECT_EQ(take(1), &stranger);
}

TEST_F(ReadySetTest, UnderAConstraintWhatWasPostedToOthersStaysThere) {
  Task &suspended = task(), &stranger = task(), &child = task(0, &suspended);
  ready_.post(1, stranger);
  ready_.post(1, child);
  EXPECT_EQ(take(0, &suspended), nullptr);
  EXPECT_TRUE(left_some_);
  EXPECT_FALSE(moved_);
  EXPECT_EQ(take(0, &suspended, Reach::kFirst), &child) << "where it looks at anybody";
  EXPECT_EQ(take(2), &stranger);
}

TEST_F(ReadySetTest, AChainThatWasPostedIsTakenOldestFirst) {
  Task &oldest = task(), &middle = task(), &youngest = task(), &later = task();
  youngest.next = &middle;
  middle.next = &oldest;
  EXPECT_TRUE(ready_.post(0, youngest, oldest, 3));
  EXPECT_TRUE(ready_.post(0, later));
  for (Task* const expected : {&oldest, &middle, &youngest, &later}) EXPECT_EQ(take(0), expected);
}

TEST_F(ReadySetTest, AnInboxWithManyTasksTakesNoMore) {
  int posted = 0;
  while (ready_.post(0, task())) ASSERT_LT(++posted, 10000);
  EXPECT_GT(posted, 8);
  EXPECT_NE(take(0), nullptr);
  EXPECT_TRUE(ready_.post(0, task()));
}

TEST_F(ReadySetTest, TheNearestIsStolenFromFirst) {
  ready_.locate({{0, 0, 0, 0}, {1, 1, 1, 1}, {0, 0, 0, 2}});
  Task &far = task(), &near = task(), &near_inbox = task();
  ready_.push(1, far);
  ready_.push(2, near);
  EXPECT_EQ(take(0), &near);
  EXPECT_EQ(take(0), &far);
  ready_.post(1, far);
  ready_.post(2, near_inbox);
  ready_.locate({});
  EXPECT_EQ(take(0, nullptr, Reach::kAll), &far) << "by number again";
  EXPECT_EQ(take(0, nullptr, Reach::kAll), &near_inbox);
}

TEST_F(ReadySetTest, OtherInboxesAreLookedAtInTurn) {
  Task &first = task(), &second = task();
  ready_.post(2, first);
  EXPECT_EQ(take(0), nullptr) << "it looks at the inbox of worker 1";
  EXPECT_EQ(take(0), &first);
  ready_.post(2, second);
  EXPECT_EQ(take(0, nullptr, Reach::kAll), &second) << "at all of them before it sleeps";
}

TEST_F(ReadySetTest, BackgroundTasksAreTakenOldestFirstByTheirOwnerAndByOthers) {
  std::vector<Task*> pushed;
  for (int i = 0; i < 40; ++i) {  // more than the queue holds at first
    pushed.push_back(&task(Task::kBackground));
    ready_.push(0, *pushed.back());
  }
  EXPECT_FALSE(ready_.looks_empty(3));
  for (int i = 0; i < 40; ++i) EXPECT_EQ(take(i % 3), pushed[static_cast<std::size_t>(i)]);
  EXPECT_EQ(take(0), nullptr);
  EXPECT_TRUE(ready_.looks_empty(3));
}

TEST_F(ReadySetTest, ABackgroundTaskThatItsFinderMayNotStartGoesToTheSharedList) {
  Task& parent = task();
  Task& other = task();
  Task& background = task(Task::kBackground, &other);
  ready_.push(0, background);
  EXPECT_EQ(take(1, &parent), nullptr);
  EXPECT_TRUE(moved_);
  EXPECT_EQ(take(2), &background);
}

}  // namespace
}  // namespace heddle
