// Each runtime's rules, by what they do to small workloads whose costs are nothing.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "made_workload.hpp"
#include "tests/support/seed.hpp"

namespace heddle::simulate {
namespace {

Outcome outcome(const Workload& workload, int workers, Runtime runtime) {
  Setting setting = free_of_cost(workers);
  setting.runtime = runtime;
  return simulate(workload, setting);
}

class EveryRuntime : public testing::TestWithParam<Runtime> {
 protected:
  static double takes(const Workload& workload, int workers) {
    return outcome(workload, workers, GetParam()).duration;
  }
};

INSTANTIATE_TEST_SUITE_P(Of, EveryRuntime, testing::Values(Runtime::kHeddle, Runtime::kGnu, Runtime::kLlvm));

TEST_P(EveryRuntime, SharesIndependentTasks) {
  const Workload workload = created_by_one(std::vector<TaskText>(12, task_of(1000)));
  EXPECT_EQ(takes(workload, 1), 12000);
  EXPECT_EQ(takes(workload, 3), 4000);
  EXPECT_EQ(takes(workload, 100), 1000);
}

TEST_P(EveryRuntime, KeepsDependences) {
  EXPECT_EQ(takes(created_by_one(std::vector<TaskText>(10, task_of(500, {{7, kInOut}}))), 4), 5000);
  const Workload readers = created_by_one({task_of(100, {{0, kInOut}}), task_of(100, {{0, kIn}}),
                                           task_of(100, {{0, kIn}}), task_of(100, {{0, kInOut}})});
  EXPECT_EQ(takes(readers, 8), 300);
  EXPECT_EQ(takes(created_by_one(std::vector<TaskText>(6, task_of(100, {{0, kMutexInOutSet}}))), 4), 600);
}

TEST_P(EveryRuntime, WaitsForChildrenAndForGroups) {
  Workload workload = created_by_one({task_of(0), task_of(1000), task_of(1000)});
  only(workload).scripts[0] = {{Op::kCreate, 0}};
  only(workload).tasks[0].script = {{Op::kCreate, 1}, {Op::kCreate, 2}, {Op::kTaskwait, 0}, {Op::kWork, 50}};
  EXPECT_EQ(takes(workload, 1), 2050);
  EXPECT_EQ(takes(workload, 2), 1050);
  only(workload).tasks[0].script = {{Op::kCreate, 1}};
  only(workload).tasks[1].script = {{Op::kCreate, 2}};
  only(workload).scripts[0] = {{Op::kCreate, 0}, {Op::kGroupEnd, 0}, {Op::kWork, 10}};
  EXPECT_EQ(takes(workload, 4), 1010);
}

TEST_P(EveryRuntime, ItsCreatorExecutesAnUndeferredTaskWhenItMay) {
  Workload workload =
      created_by_one({task_of(1000, {{0, kInOut}}), task_of(10, {{0, kInOut}}), task_of(500)});
  only(workload).tasks[1].is_undeferred = true;
  // The third is created when the second has been executed.
  EXPECT_EQ(takes(workload, 2), 1510);
}

Workload taskloop_of(const std::vector<TaskText>& chunks, bool is_waited_for = true) {
  Workload workload = created_by_one(chunks);
  only(workload).taskloops.push_back(only(workload).scripts[0]);
  only(workload).scripts[0] = {{Op::kTaskloop, 0}};
  if (is_waited_for) only(workload).scripts[0].push_back({Op::kGroupEnd, 0});
  return workload;
}

TEST_P(EveryRuntime, ExecutesAllTasksOfATaskloop) {
  Workload workload = taskloop_of(std::vector<TaskText>(100, task_of(1000)));
  const Outcome result = outcome(workload, 2, GetParam());
  EXPECT_EQ(result.tasks, 100U);
  // Of libheddle's ranges a thread keeps what takes 10 us.
  EXPECT_LE(result.duration, GetParam() == Runtime::kHeddle ? 55000 : 50000);
  EXPECT_GE(result.duration, 50000);
  EXPECT_EQ(takes(workload, 1), 100000);
  EXPECT_EQ(workload.work(), 100000);
}

// Graham's bounds, as in test_simulation.cpp, and the same answer each time.
TEST_P(EveryRuntime, LeavesNoThreadIdleWhileATaskIsReady) {
  SeededRandom<> random;
  for (int round = 0; round < 60; ++round) {
    std::vector<TaskText> tasks(1 + random() % 60);
    std::map<std::int64_t, std::int64_t> ends;  // by address
    std::int64_t work = 0, longest = 0;
    for (TaskText& task : tasks) {
      const std::int64_t address = random() % 12, takes = 1 + random() % 1000;
      task = task_of(takes, {{address, kInOut}});
      work += takes;
      longest = std::max(longest, ends[address] += takes);
    }
    const Workload workload = created_by_one(tasks);
    for (const int workers : {1, 2, 3, 8}) {
      const double took = takes(workload, workers);
      EXPECT_GE(took + 0.01,
                std::max<double>(static_cast<double>(longest), static_cast<double>(work) / workers));
      EXPECT_LE(took, static_cast<double>(work) / workers + static_cast<double>(longest) + 0.01);
      EXPECT_EQ(took, takes(workload, workers));
    }
  }
}

TEST(GompRules, ACreatorExecutesItselfWhatIsMoreThan64AThread) {
  const Workload workload = created_by_one(std::vector<TaskText>(200, task_of(1000)));
  EXPECT_EQ(outcome(workload, 1, Runtime::kGnu).executed_inline, 135U);
  EXPECT_EQ(outcome(workload, 4, Runtime::kGnu).executed_inline, 0U);
}

TEST(HeddleRules, RangesOfATaskloopAreHalvedUntilAllThreadsHaveSome) {
  for (const bool is_waited_for : {true, false}) {
    const Workload workload = taskloop_of(std::vector<TaskText>(640, task_of(100000)), is_waited_for);
    const Outcome result = outcome(workload, 16, Runtime::kHeddle);
    EXPECT_EQ(result.tasks, 640U);
    EXPECT_GE(result.duration, 640 * 100000 / 16);
    EXPECT_LE(result.duration, (640 / 16 + 2) * 100000);
    // A thread takes a half of what another has left, not chunk after chunk.
    EXPECT_LT(result.stolen, 160U);
  }
}

TEST(HeddleRules, ShortChunksStayWithWhoHasThem) {
  Setting setting = free_of_cost(8);
  setting.runtime = Runtime::kHeddle;
  setting.costs.steal = 500;
  setting.costs.taskloop_chunk = 2;
  // 5 us of work: by far most of it is done before anybody else has begun.
  const Outcome result = simulate(taskloop_of(std::vector<TaskText>(500, task_of(8))), setting);
  EXPECT_EQ(result.tasks, 500U);
  EXPECT_LT(result.duration, 5000);
  EXPECT_LT(result.stolen, 30U);
}

TEST(HeddleRules, AChunkThatWaitsLeavesTheOthersOfItsRange) {
  std::vector<TaskText> tasks(41, task_of(100));
  Workload workload = taskloop_of(tasks);
  only(workload).taskloops[0].pop_back();
  // The first chunk waits for a child that takes as long as all others on one thread, and more.
  only(workload).tasks[0].script = {{Op::kCreate, 40}, {Op::kTaskwait, 0}};
  only(workload).tasks[40] = task_of(20000);
  EXPECT_LE(outcome(workload, 2, Runtime::kHeddle).duration, 20200);
  EXPECT_LE(outcome(workload, 1, Runtime::kHeddle).duration, 24000);
}

TEST(GompRules, ATaskloopOfMoreIsExecutedByWhoMeetsIt) {
  Workload workload = taskloop_of(std::vector<TaskText>(200, task_of(1000)));
  EXPECT_EQ(outcome(workload, 2, Runtime::kGnu).duration, 200000);
  EXPECT_EQ(outcome(workload, 4, Runtime::kGnu).duration, 50000);
}

// A creates X, which the other thread takes, and Y, and waits. X creates others while it goes on.
TEST(GompRules, WhoWaitsForChildrenTakesNoOthers) {
  std::vector<TaskText> tasks(7, task_of(1000));
  tasks[0].script = {{Op::kCreate, 1}, {Op::kWork, 1}, {Op::kCreate, 2}, {Op::kTaskwait, 0}};
  tasks[1].script = {{Op::kWork, 5},   {Op::kCreate, 3}, {Op::kCreate, 4},
                     {Op::kCreate, 5}, {Op::kCreate, 6}, {Op::kWork, 5000}};
  tasks[2] = task_of(1);
  Workload workload = created_by_one(tasks);
  only(workload).scripts[0] = {{Op::kCreate, 0}};
  EXPECT_EQ(outcome(workload, 2, Runtime::kGnu).duration, 7005);
  EXPECT_EQ(outcome(workload, 2, Runtime::kLlvm).duration, 5005);
  EXPECT_EQ(outcome(workload, 2, Runtime::kHeddle).duration, 5005);
}

TEST(OmpRules, WhatFindsNoRoomIsExecutedAtOnce) {
  std::vector<TaskText> tasks(301, task_of(1));
  tasks[0] = task_of(1000000);
  Workload workload = created_by_one(tasks);
  // The other thread has time to take the long one.
  only(workload).scripts[0].insert(only(workload).scripts[0].begin() + 1, {Op::kWork, 10});
  EXPECT_EQ(outcome(workload, 2, Runtime::kLlvm).executed_inline, 300U - 256U);
  EXPECT_EQ(outcome(workload, 1, Runtime::kLlvm).executed_inline, 301U);
}

TEST(OmpRules, HalvesOfATaskloopAreCreatedByOthers) {
  Workload workload = taskloop_of(std::vector<TaskText>(320, task_of(0)));
  Setting setting = free_of_cost(8);
  setting.runtime = Runtime::kLlvm;
  setting.costs.create = 1000;
  const double halved = simulate(workload, setting).duration;
  only(workload).scripts[0] = only(workload).taskloops[0];
  // One creator queues 320 tasks where four have 80 each, which is ten a thread.
  EXPECT_LT(halved, 0.4 * simulate(workload, setting).duration);
}

TEST(RuntimeRules, LocksAreWaitedFor) {
  // Four threads with nothing but tasks of no length.
  Workload workload = created_by_one(std::vector<TaskText>(2000, task_of(0)));
  Setting setting = free_of_cost(4);
  setting.runtime = Runtime::kGnu;
  setting.costs.lock = 100;
  setting.costs.create = setting.costs.take = 10;
  const double contended = simulate(workload, setting).duration;
  setting.costs.lock = 0;
  EXPECT_GT(contended, 2 * simulate(workload, setting).duration);
}

}  // namespace
}  // namespace heddle::simulate
