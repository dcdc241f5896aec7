#include "sched/spawn_policy.hpp"

#include <gtest/gtest.h>

#include "task/task.hpp"
#include "test_clock.hpp"

namespace heddle {
namespace {

using Policy = SpawnPolicy<TestClock>;

const Task kCreator{};

// What place() asks of a creator.
struct FakeCreator {
  int team = 2;
  int inlined = 0;
  unsigned generation = 0;
  bool complete = true;
  bool urgent = false;
  std::int64_t in_queue = 0;

  int team_size() const { return team; }
  int inline_depth() const { return inlined; }
  unsigned depth() const { return generation; }
  const Task* task() const { return &kCreator; }
  bool children_complete() const { return complete; }
  bool has_urgent() const { return urgent; }
  bool queue_holds(std::int64_t count) const { return in_queue >= count; }
  std::int64_t queued() const { return limits::kQueued; }
  std::int64_t queued_in_recursion() const { return limits::kQueuedInRecursion; }
};

void expect(Decision decision, Where where, Why why) {
  EXPECT_EQ(decision.where, where);
  EXPECT_EQ(decision.why, why) << name_of(decision.why) << " in place of " << name_of(why);
}

TEST(SpawnPolicy, ATeamOfOneExecutesAtCreation) {
  Policy policy;
  expect(policy.place(FakeCreator{.team = 1}, false), Where::kInline, Why::kTeamOfOne);
  expect(policy.place(FakeCreator{.team = 1, .complete = false}, false), Where::kInline, Why::kTeamOfOne);
  expect(policy.place(FakeCreator{.team = 1}, true), Where::kInline, Why::kTeamOfOne);
  expect(policy.place(FakeCreator{.team = 1, .complete = false}, true), Where::kQueue, Why::kSiblings);
}

TEST(SpawnPolicy, TasksAreSharedUntilTheQueueIsFull) {
  Policy policy;
  expect(policy.place(FakeCreator{}, false), Where::kQueue, Why::kShared);
  expect(policy.place(FakeCreator{.in_queue = limits::kQueued - 1}, false), Where::kQueue, Why::kShared);
  expect(policy.place(FakeCreator{.in_queue = limits::kQueued}, false), Where::kInline, Why::kFull);
  expect(policy.place(FakeCreator{.in_queue = limits::kQueued}, true), Where::kQueue, Why::kDependences);
}

TEST(SpawnPolicy, ARecursionIsCutOffWhereAFewAreQueued) {
  Policy policy;
  FakeCreator creator{.generation = limits::kRecursion, .in_queue = limits::kQueuedInRecursion};
  expect(policy.place(creator, false), Where::kInline, Why::kRecursion);
  creator.urgent = true;
  expect(policy.place(creator, false), Where::kQueue, Why::kShared);
  creator = {.generation = limits::kRecursion, .in_queue = limits::kQueuedInRecursion - 1};
  expect(policy.place(creator, false), Where::kQueue, Why::kShared);
  creator = {.generation = limits::kRecursion - 1, .in_queue = limits::kQueuedInRecursion};
  expect(policy.place(creator, false), Where::kQueue, Why::kShared);
}

TEST(SpawnPolicy, ARecursionOfLongTasksIsNotCutOff) {
  Policy policy;
  const FakeCreator creator{.generation = limits::kRecursion, .in_queue = limits::kQueuedInRecursion};
  for (int i = 0; i < 4; ++i) {
    while (!policy.cutoff.is_due()) {
    }
    policy.cutoff.judge(limits::kLongNs, policy.cutoff.executed());
  }
  int inlined = 0;
  for (int i = 0; i < 100; ++i) inlined += policy.place(creator, false).where == Where::kInline ? 1 : 0;
  EXPECT_LT(inlined, 20);
}

TEST(SpawnPolicy, WhoIsAloneExecutesAtCreation) {
  Policy policy;
  policy.serial_creation.begin(&kCreator);
  expect(policy.place(FakeCreator{}, false), Where::kInline, Why::kSerialCreation);
  expect(policy.place(FakeCreator{}, true), Where::kInline, Why::kSerialCreation);
  expect(policy.place(FakeCreator{.complete = false}, true), Where::kQueue, Why::kDependences);
  expect(policy.place(FakeCreator{.urgent = true}, false), Where::kQueue, Why::kShared);
}

TEST(SpawnPolicy, NothingIsExecutedTooDeep) {
  Policy policy;
  policy.serial_creation.begin(&kCreator);
  const FakeCreator creator{.inlined = limits::kDeepestInline, .in_queue = limits::kQueued};
  expect(policy.place(creator, false), Where::kQueue, Why::kDeep);
  expect(policy.place_under(bit(Reason::kMaySuspend), creator, false), Where::kQueue, Why::kDeep);
  expect(Policy::place_ready(0, creator), Where::kQueue, Why::kDeep);
}

TEST(SpawnPolicy, AnyReasonHasTasksQueued) {
  for (const Reason reason :
       {Reason::kHold, Reason::kPollers, Reason::kChosenOrder, Reason::kDiscards, Reason::kRequest}) {
    Policy policy;
    expect(policy.place_under(bit(reason), FakeCreator{.team = 1}, false), Where::kQueue, Why::kReason);
    expect(policy.place_under(bit(reason) | bit(Reason::kMaySuspend), FakeCreator{.team = 1}, false),
           Where::kQueue, Why::kReason);
  }
}

TEST(SpawnPolicy, WhatMaySuspendGetsAStackWhereItWouldNotBeShared) {
  Policy policy;
  const std::uint32_t reasons = bit(Reason::kMaySuspend);
  expect(policy.place_under(reasons, FakeCreator{.team = 1}, false), Where::kOwnStack, Why::kSuspends);
  expect(policy.place_under(reasons, FakeCreator{}, false), Where::kQueue, Why::kShared);
  const FakeCreator full{.in_queue = limits::kQueuedOnStacks};
  expect(policy.place_under(reasons, full, false), Where::kOwnStack, Why::kSuspends);
  expect(policy.place_under(reasons | bit(Reason::kFixed), full, false), Where::kQueue, Why::kShared);
  expect(policy.place_under(reasons, FakeCreator{.team = 1}, true), Where::kQueue, Why::kDependences);
  const FakeCreator recursion{.generation = limits::kRecursion, .in_queue = limits::kQueuedInRecursion};
  expect(policy.place_under(reasons, recursion, false), Where::kOwnStack, Why::kRecursion);
}

TEST(SpawnPolicy, ANumberThatIsSetOrAnOrderOfAgeEndsBeingAlone) {
  for (const Reason reason : {Reason::kFixed, Reason::kOldestFirst}) {
    Policy policy;
    policy.serial_creation.begin(&kCreator);
    expect(policy.place_under(bit(reason), FakeCreator{}, false), Where::kQueue, Why::kShared);
    EXPECT_FALSE(policy.serial_creation.is(&kCreator));
  }
}

TEST(SpawnPolicy, CountingChangesNoDecision) {
  Policy policy;
  policy.serial_creation.begin(&kCreator);
  expect(policy.place_under(bit(Reason::kLogged), FakeCreator{}, false), Where::kInline,
         Why::kSerialCreation);
}

TEST(SpawnPolicy, ATaskThatWaitsForNobodyIsExecutedWhereNoneShouldBeQueued) {
  expect(Policy::place_ready(0, FakeCreator{}), Where::kQueue, Why::kShared);
  expect(Policy::place_ready(0, FakeCreator{.team = 1}), Where::kInline, Why::kTeamOfOne);
  expect(Policy::place_ready(0, FakeCreator{.in_queue = limits::kQueued}), Where::kInline, Why::kFull);
  expect(Policy::place_ready(bit(Reason::kMaySuspend), FakeCreator{.team = 1}), Where::kOwnStack,
         Why::kSuspends);
  expect(Policy::place_ready(bit(Reason::kMaySuspend), FakeCreator{.in_queue = limits::kQueuedOnStacks}),
         Where::kOwnStack, Why::kSuspends);
  expect(Policy::place_ready(bit(Reason::kHold), FakeCreator{.team = 1}), Where::kQueue, Why::kReason);
  expect(Policy::place_ready(bit(Reason::kPollers), FakeCreator{.team = 1}), Where::kInline, Why::kTeamOfOne);
}

TEST(SpawnPolicy, WhoHasManyChildrenHelpsAndMoreSeldomInVain) {
  Policy policy;
  const auto many = [] { return true; };
  EXPECT_EQ(policy.published([] { return false; }), Next::kGoOn);
  EXPECT_EQ(policy.published(many), Next::kHelp);
  policy.helps.was_in_vain();
  int before = 0;
  while (policy.published(many) == Next::kGoOn) ++before;
  EXPECT_EQ(before, static_cast<int>(limits::kHelpPause));
}

TEST(SpawnPolicy, OneInSoManyThatAreSharedTriesToBeAlone) {
  Policy policy;
  int shared = 0;
  while (policy.published([] { return false; }) == Next::kGoOn) ++shared;
  EXPECT_EQ(shared, static_cast<int>(limits::kSerialPause));
}

TEST(SpawnPolicy, ManyChildrenFollowTheTeamAndTheThrottle) {
  EXPECT_EQ(many_children(limits::kQueued, 2), 1024);
  EXPECT_EQ(many_children(limits::kQueued, 64), 2048);
  EXPECT_EQ(many_children(4096, 2), 4096);
  EXPECT_EQ(many_children(std::int64_t{1} << 40, 2), 1 << 24);
}

TEST(SpawnPolicy, EveryWhyHasAName) {
  for (int why = 0; why < kWhys; ++why) EXPECT_FALSE(name_of(static_cast<Why>(why)).empty());
}

}  // namespace
}  // namespace heddle
