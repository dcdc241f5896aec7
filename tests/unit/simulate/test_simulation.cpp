#include "simulate/engine/simulation.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <utility>

#include "made_workload.hpp"
#include "program/user_error.hpp"
#include "tests/support/seed.hpp"

namespace heddle::simulate {
namespace {

TEST(Simulation, IndependentTasksAreShared) {
  const Workload workload = created_by_one(std::vector<TaskText>(12, task_of(1000)));
  EXPECT_EQ(duration(workload, 1), 12000);
  EXPECT_EQ(duration(workload, 2), 6000);
  EXPECT_EQ(duration(workload, 3), 4000);
  EXPECT_EQ(duration(workload, 5), 3000);
  EXPECT_EQ(duration(workload, 100), 1000);
}

TEST(Simulation, AChainTakesAsLongOnAnyNumberOfCores) {
  const Workload workload = created_by_one(std::vector<TaskText>(10, task_of(500, {{7, kInOut}})));
  for (const int workers : {1, 2, 8}) EXPECT_EQ(duration(workload, workers), 5000);
}

TEST(Simulation, ReadersRunTogetherBetweenWriters) {
  const Workload workload =
      created_by_one({task_of(100, {{0, kInOut}}), task_of(100, {{0, kIn}}), task_of(100, {{0, kIn}}),
                      task_of(100, {{0, kIn}}), task_of(100, {{0, kInOut}})});
  EXPECT_EQ(duration(workload, 8), 300);
  EXPECT_EQ(duration(workload, 1), 500);
}

TEST(Simulation, ExclusiveTasksRunOneAtATime) {
  const Workload workload = created_by_one(std::vector<TaskText>(6, task_of(100, {{0, kMutexInOutSet}})));
  EXPECT_EQ(duration(workload, 4), 600);
}

TEST(Simulation, ATaskWaitsForItsChildren) {
  Workload workload = created_by_one({task_of(0), task_of(1000), task_of(1000)});
  only(workload).scripts[0] = {{Op::kCreate, 0}};
  only(workload).tasks[0].script = {{Op::kCreate, 1}, {Op::kCreate, 2}, {Op::kTaskwait, 0}, {Op::kWork, 50}};
  EXPECT_EQ(duration(workload, 2), 1050);
  EXPECT_EQ(duration(workload, 1), 2050);
}

// Creates two tasks, waits for them, and so on.
Script recursion(std::vector<TaskText>& tasks, int depth) {
  if (depth == 0) return {{Op::kWork, 100}};
  Script result;
  for (const int child : {depth - 1, std::max(depth - 2, 0)}) {
    const std::size_t number = tasks.size();
    tasks.emplace_back();
    Script script = recursion(tasks, child);
    tasks[number].script = std::move(script);
    result.push_back({Op::kCreate, static_cast<std::int64_t>(number)});
  }
  result.push_back({Op::kTaskwait, 0});
  return result;
}

TEST(Simulation, ARecursionIsSharedByAll) {
  Workload workload = created_by_one({});
  only(workload).scripts[0] = recursion(only(workload).tasks, 19);
  Setting setting = free_of_cost(16);
  setting.costs.create = setting.costs.take = 20;
  setting.costs.steal = 400;
  const Outcome shared = simulate(workload, setting);
  setting.workers = 1;
  const Outcome alone = simulate(workload, setting);
  EXPECT_EQ(shared.tasks, alone.tasks);
  EXPECT_LT(3 * shared.stolen, shared.tasks);
  EXPECT_LT(8 * shared.duration, alone.duration);
}

TEST(Simulation, TheEndOfAGroupWaitsForGrandchildren) {
  Workload workload = created_by_one({task_of(0), task_of(3000)});
  only(workload).tasks[0].script = {{Op::kCreate, 1}};
  only(workload).scripts[0] = {{Op::kCreate, 0}, {Op::kGroupEnd, 0}, {Op::kWork, 10}};
  EXPECT_EQ(duration(workload, 4), 3010);
}

TEST(Simulation, StaticLoopsAreDividedAsTheRuntimeDoes) {
  Workload workload = created_by_one({});
  only(workload).loops.push_back({10, Schedule::kStatic, {1000}});
  only(workload).regions[0].script = {{Op::kLoop, 0}, {Op::kBarrier, 0}};
  EXPECT_EQ(duration(workload, 1), 1000);
  EXPECT_EQ(duration(workload, 3), 400);  // 4, 3, 3 iterations
  EXPECT_EQ(duration(workload, 10), 100);
  EXPECT_EQ(duration(workload, 64), 100);
}

TEST(Simulation, LoopsKeepTheirImbalance) {
  Workload workload = created_by_one({});
  only(workload).loops.push_back({100, Schedule::kStatic, {3000, 1000}});
  only(workload).regions[0].script = {{Op::kLoop, 0}, {Op::kBarrier, 0}};
  EXPECT_EQ(duration(workload, 2), 3000);
  EXPECT_EQ(duration(workload, 4), 1500);
  only(workload).loops[0].schedule = Schedule::kDynamic;
  EXPECT_NEAR(duration(workload, 2), 2000, 60);
}

TEST(Simulation, ADynamicLoopIsExecutedAsOftenAsItsRegion) {
  Workload workload = created_by_one({});
  only(workload).loops.push_back({100, Schedule::kDynamic, {4000}});
  only(workload).regions[0].script = {{Op::kLoop, 0}, {Op::kBarrier, 0}};
  only(workload).repeats.push_back({5, {{Op::kRegion, 0}}});
  only(workload).main = {{Op::kRepeat, 0}};
  EXPECT_NEAR(duration(workload, 2), 5 * 2000, 300);
  // Within one region too, from barrier to barrier.
  only(workload).regions[0].script = {{Op::kRepeat, 0}};
  only(workload).repeats[0].script = {{Op::kLoop, 0}, {Op::kBarrier, 0}};
  only(workload).main = {{Op::kRegion, 0}};
  EXPECT_NEAR(duration(workload, 2), 5 * 2000, 300);
}

TEST(Simulation, BackgroundTasksAreExecutedLast) {
  std::vector<TaskText> tasks(9, task_of(100));
  tasks[0].is_background = true;
  Setting setting = free_of_cost(1);
  setting.has_timeline = true;
  const Outcome found = simulate(created_by_one(tasks), setting);
  std::vector<std::pair<Time, std::int64_t>> begins;
  for (const auto& stretch : found.timeline.stretches)
    if (!stretch.is_of_runtime) begins.emplace_back(stretch.begin, stretch.task);
  ASSERT_EQ(begins.size(), tasks.size());
  const auto number = [](const auto& begin) { return begin.second; };
  // The last to begin is the one that was created first.
  EXPECT_EQ(std::ranges::max(begins).second, std::ranges::min(begins, {}, number).second);
}

TEST(Simulation, PiecesAreDealtOut) {
  Workload workload = created_by_one({});
  only(workload).pieces.push_back({{{Op::kWork, 100}}, {{Op::kWork, 200}}, {{Op::kWork, 300}}});
  only(workload).regions[0].script = {{Op::kPieces, 0}, {Op::kBarrier, 0}, {Op::kWork, 5}};
  EXPECT_EQ(duration(workload, 3), 305);
  EXPECT_EQ(duration(workload, 2), 405);
  EXPECT_EQ(duration(workload, 1), 605);
}

TEST(Simulation, LocksAreHeldByOne) {
  Workload workload = created_by_one(std::vector<TaskText>(4, task_of(0)));
  for (TaskText& task : only(workload).tasks)
    task.script = {{Op::kLock, 0}, {Op::kWork, 100}, {Op::kUnlock, 0}};
  EXPECT_EQ(duration(workload, 4), 400);
}

TEST(Simulation, ARegionWithinARegionIsOneThreads) {
  Workload workload = created_by_one({});
  only(workload).regions.push_back({0, 1, false, {{Op::kWork, 70}, {Op::kBarrier, 0}}});
  only(workload).regions[0].script = {{Op::kRegion, 1}, {Op::kBarrier, 0}};
  EXPECT_EQ(duration(workload, 4), 70);
}

TEST(Simulation, CostsAreCounted) {
  Setting setting = free_of_cost(1);
  setting.costs.create_inline = 7;
  setting.costs.complete = 5;
  const Outcome outcome = simulate(created_by_one(std::vector<TaskText>(10, task_of(100))), setting);
  EXPECT_EQ(outcome.duration, 10 * 112);
  EXPECT_EQ(outcome.executed_inline, 10U);
  EXPECT_EQ(outcome.workers[0].overhead, 120);
}

TEST(Simulation, WhatDoesNotEndIsSaid) {
  Workload workload = created_by_one({task_of(0), task_of(0)});
  only(workload).tasks[0].script = {{Op::kLock, 0}};
  only(workload).tasks[1].script = {{Op::kLock, 0}};
  EXPECT_THROW(duration(workload, 2), program::UserError);
}

TEST(Simulation, RegionsWhoseThreadsDifferKeepTheirNumber) {
  Workload workload = created_by_one({});
  only(workload).regions[0].is_fixed = true;
  EXPECT_THROW(duration(workload, 3), program::UserError);
  EXPECT_NO_THROW(duration(workload, 2));
}

// Graham's bounds for schedules that leave no thread idle while a task is ready.
// Source: Graham, "Bounds on multiprocessing timing anomalies", 1969.
TEST(Simulation, RandomGraphsStayWithinTheBounds) {
  SeededRandom<> random;
  const auto below = [&](unsigned most) { return static_cast<std::int64_t>(random() % most); };
  for (int round = 0; round < 200; ++round) {
    std::vector<TaskText> tasks;
    std::map<std::int64_t, std::pair<std::int64_t, std::int64_t>> ends;  // by address: of writers, of readers
    std::int64_t work = 0, longest = 0;
    for (std::int64_t i = 0, count = 1 + below(150); i < count; ++i) {
      TaskText task = task_of(1 + below(1000));
      std::int64_t begin = 0;
      const std::int64_t first = below(12);
      for (std::int64_t d = 0, uses = below(4); d < uses; ++d) {
        const std::int64_t address = (first + 3 * d) % 12;
        const bool writes = below(2) == 0;
        task.dependences.push_back({address, writes ? kInOut : kIn});
        begin = std::max({begin, ends[address].first, writes ? ends[address].second : 0});
      }
      const std::int64_t end = begin + task.script[0].value;
      for (const DependenceOn& on : task.dependences) {
        auto& [writers, readers] = ends[on.address];
        (on.type == kIn ? readers : writers) = std::max(on.type == kIn ? readers : writers, end);
      }
      work += task.script[0].value;
      longest = std::max(longest, end);
      tasks.push_back(std::move(task));
    }
    const Workload workload = created_by_one(tasks);
    for (const int workers : {1, 2, 3, 8, 40}) {
      const double took = duration(workload, workers);
      EXPECT_GE(took + 0.01,
                std::max<double>(static_cast<double>(longest), static_cast<double>(work) / workers));
      EXPECT_LE(took, static_cast<double>(work) / workers + static_cast<double>(longest) + 0.01)
          << "round " << round << ", " << workers << " workers";
      EXPECT_EQ(took, duration(workload, workers));
    }
  }
}

TEST(Simulation, TellsWhoExecutesWhatWhenAndWhatWaitedForWhat) {
  // Two chains of two tasks on two threads.
  const Workload workload = created_by_one({task_of(100, {{0, kInOut}}), task_of(300, {{1, kInOut}}),
                                            task_of(200, {{0, kInOut}}), task_of(50, {{1, kInOut}})});
  Setting setting = free_of_cost(2);
  EXPECT_TRUE(simulate(workload, setting).timeline.stretches.empty());
  setting.has_timeline = true;
  const Outcome outcome = simulate(workload, setting);
  const Timeline& timeline = outcome.timeline;

  // The initial task, one a thread, and the four.
  ASSERT_EQ(timeline.tasks.size(), 7U);
  EXPECT_EQ(timeline.tasks[0].kind, Timeline::kInitial);
  double computed = 0;
  std::vector<double> begins(7, -1), ends(7, -1);
  for (const Timeline::Stretch& stretch : timeline.stretches) {
    ASSERT_FALSE(stretch.is_of_runtime);  // which is free
    const auto task = static_cast<std::size_t>(stretch.task);
    begins.at(task) = stretch.begin;
    ends.at(task) = stretch.end;
    computed += stretch.end - stretch.begin;
  }
  EXPECT_EQ(computed, 650);
  EXPECT_EQ(timeline.edges.size(), 2U);
  for (const auto& [source, sink] : timeline.edges) {
    EXPECT_GE(timeline.tasks.at(static_cast<std::size_t>(source)).creator, 0);
    EXPECT_LE(ends.at(static_cast<std::size_t>(source)), begins.at(static_cast<std::size_t>(sink)));
  }
}

}  // namespace
}  // namespace heddle::simulate
