// A member that leaves the barrier of one region late may find tasks of the next, in which it has no part:
// nobody looks in its queue then, so it has to leave them to others. The moment is made here, on a team
// without threads.
#include "tasking/execute.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <set>
#include <vector>

namespace heddle {
namespace {

constexpr int kWide = 6, kNarrow = 2, kTasks = 300;  // so many that thieves take many at a stroke

// A region of kNarrow threads of a team in which the member with the highest number is late: it has not seen
// yet that the region of kWide threads before is over.
class LateMember : public ::testing::TestWithParam<Look> {
 protected:
  LateMember() {
    team_.opening.open(kWide, {});
    for (Member& member : team_.members) member.seen_opening = team_.opening.last();
    team_.opening.open(kNarrow, {});
    for (int i = 0; i < kWide; ++i) {
      Member& member = team_.members[static_cast<std::size_t>(i)];
      member.cache = &cache_;
      member.team_size = i < kNarrow ? kNarrow : kWide;
      if (i < kNarrow) member.seen_opening = team_.opening.last();
    }
    team_.size = kNarrow;
    team_.has_tasks.store(true);
  }

  Member& late() { return team_.members.back(); }

  Task& make_task() {
    tasks_.push_back(std::make_unique<Task>());
    tasks_.back()->parent = &team_.members[0].implicit_task;
    return *tasks_.back();
  }

  std::set<Task*> found_by(Member& member) {
    std::set<Task*> found;
    while (Task* const task = find_task(member, Look::kLast)) found.insert(task);
    return found;
  }

  Team team_{kWide};
  MemoryCache cache_;
  std::vector<std::unique_ptr<Task>> tasks_;
};

INSTANTIATE_TEST_SUITE_P(Looks, LateMember, ::testing::Values(Look::kFirst, Look::kLast, Look::kElsewhere));

TEST_P(LateMember, LeavesWhatItHasStolenToThoseInTheRegion) {
  for (int i = 0; i < kTasks; ++i) team_.ready.push(0, make_task());
  EXPECT_EQ(find_task(late(), GetParam()), nullptr);
  EXPECT_EQ(found_by(team_.members[1]).size(), static_cast<std::size_t>(kTasks));
}

// The first of them it may not start, so it has found none; but it has queued those that came with it.
TEST_P(LateMember, LeavesThemWhereItMayNotStartTheFirst) {
  TaskGroup group(nullptr);
  const Wanted of_a_group{nullptr, &group};
  for (int i = 0; i < kTasks; ++i) team_.ready.push(0, make_task());
  late().context.wanted = &of_a_group;
  EXPECT_EQ(find_task(late(), GetParam()), nullptr);
  EXPECT_EQ(found_by(team_.members[1]).size(), static_cast<std::size_t>(kTasks));
}

TEST_P(LateMember, LeavesWhatIsInTheBackground) {
  for (int i = 0; i < kTasks; ++i) {
    Task& task = make_task();
    task.priority = Task::kBackground;
    team_.ready.push(0, task);
  }
  EXPECT_EQ(find_task(late(), GetParam()), nullptr);
  EXPECT_EQ(found_by(team_.members[1]).size(), static_cast<std::size_t>(kTasks));
}

TEST_F(LateMember, TakesPartAgainInTheNextRegionThatHasAPlaceForIt) {
  for (int i = 0; i < kTasks; ++i) team_.ready.push(0, make_task());
  EXPECT_FALSE(takes_part(late()));
  late().seen_opening = team_.opening.last();  // it waits for its next region, and has none in this
  EXPECT_FALSE(takes_part(late()));
  EXPECT_TRUE(takes_part(team_.members[0]));
  EXPECT_TRUE(takes_part(team_.members[1]));
  team_.opening.open(kWide, {});
  late().seen_opening = team_.opening.last();
  EXPECT_TRUE(takes_part(late()));
  EXPECT_NE(find_task(late(), Look::kFirst), nullptr);
}

}  // namespace
}  // namespace heddle
