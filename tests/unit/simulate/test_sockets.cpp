// Nodes of several sockets: where threads are, where data is, and what that costs.
#include <gtest/gtest.h>

#include <cmath>
#include <utility>
#include <vector>

#include "made_workload.hpp"
#include "simulate/engine/data_homes.hpp"
#include "simulate/engine/placement.hpp"
#include "simulate/engine/simulation.hpp"

namespace heddle::simulate {
namespace {

constexpr double kRemote = 1.5;

Setting on_sockets(int sockets, int workers) {
  Setting result = free_of_cost(workers);
  result.sockets = sockets;
  result.remote = kRemote;
  return result;
}

double work_of(const Outcome& outcome) {
  double sum = 0;
  for (const WorkerTimes& worker : outcome.workers) sum += worker.work;
  return sum;
}

TEST(Placement, ThreadsFollowEachOtherOnTheCoresOfANode) {
  Setting setting = on_sockets(2, 3);
  EXPECT_EQ(sockets_of(0, 1, setting), (std::vector<int>{0, 0, 1}));
  EXPECT_EQ(sockets_of(0, 2, setting), (std::vector<int>{0, 0, 0}));
  EXPECT_EQ(sockets_of(1, 2, setting), (std::vector<int>{1, 1, 1}));
  setting.cores = 12;  // more than there are threads
  EXPECT_EQ(sockets_of(1, 2, setting), (std::vector<int>{0, 0, 0}));
  setting.nodes = 2;
  setting.cores = 6;
  EXPECT_EQ(sockets_of(2, 4, setting), (std::vector<int>{0, 0, 0}));
  EXPECT_EQ(sockets_of(3, 4, setting), (std::vector<int>{1, 1, 1}));
}

TEST(DataHomes, DataIsAtHomeWithWhoIsTheFirstToWorkOnIt) {
  DataHomes homes({0, 0, 1}, kRemote);
  const std::vector<DependenceOn> on{{7, kInOut, 300}, {8, kIn, 100}};
  EXPECT_EQ(homes.slowdown(on, 0), 1);
  EXPECT_EQ(homes.slowdown(on, 1), 1);
  EXPECT_EQ(homes.slowdown(on, 2), kRemote);
  const std::vector<DependenceOn> fresh{{9, kOut, 100}};
  EXPECT_EQ(homes.slowdown(fresh, 2), 1);
  const std::vector<DependenceOn> both{{7, kIn, 300}, {9, kIn, 100}, {10, kIn, 0}};
  EXPECT_EQ(homes.slowdown(both, 2), 1 + (kRemote - 1) * 0.75);
  EXPECT_EQ(homes.slowdown(both, 0), 1 + (kRemote - 1) * 0.25);
  EXPECT_EQ(homes.slowdown({}, 2), 1);
}

TEST(DataHomes, OneSocketCostsNothing) {
  DataHomes homes({1, 1}, kRemote);
  const std::vector<DependenceOn> on{{7, kInOut}};
  EXPECT_FALSE(homes.spans_some());
  EXPECT_EQ(homes.slowdown(on, 0), 1);
  EXPECT_EQ(homes.slowdown(on, 1), 1);
}

// A static loop over the blocks 0 to 3, then one over those that `then` says.
Workload two_loops(std::vector<std::int64_t> then) {
  ProcessText process{};
  process.loops = {{4, Schedule::kStatic, {100, 100, 100, 100}, {0, 1, 2, 3}},
                   {4, Schedule::kStatic, {100, 100, 100, 100}, std::move(then)}};
  process.regions.push_back(
      {0, 2, false, {{Op::kLoop, 0}, {Op::kBarrier, 0}, {Op::kLoop, 1}, {Op::kBarrier, 0}}});
  process.main = {{Op::kRegion, 0}};
  return {"made", 2, {"loop"}, {std::move(process)}};
}

TEST(Sockets, StaticLoopsFindTheirDataWhereTheyLeftIt) {
  const Setting setting = on_sockets(2, 4);
  EXPECT_EQ(simulate(two_loops({0, 1, 2, 3}), setting).duration, 200);
  EXPECT_EQ(simulate(two_loops({1, 0, 3, 2}), setting).duration, 200);  // the same socket
  EXPECT_EQ(simulate(two_loops({2, 3, 0, 1}), setting).duration, 100 + 100 * kRemote);
  EXPECT_EQ(simulate(two_loops({2, 3, 0, 1}), on_sockets(1, 4)).duration, 200);
  EXPECT_EQ(simulate(two_loops({}), setting).duration, 200);  // not known
}

// Stages of a task on each of some blocks, which reads its neighbours in a ring.
Workload stages(int blocks, int count, std::int64_t ns) {
  std::vector<TaskText> tasks;
  for (int stage = 0; stage < count; ++stage)
    for (int b = 0; b < blocks; ++b)
      tasks.push_back(task_of(ns, {{(stage + 1) % 2 * blocks + (b + 1) % blocks, kIn, 1},
                                   {(stage + 1) % 2 * blocks + (b + blocks - 1) % blocks, kIn, 1},
                                   {stage % 2 * blocks + b, kOut, 8}}));
  return created_by_one(std::move(tasks));
}

TEST(Sockets, TasksOfHeddleGoBackToTheirDataWhereOthersForgetIt) {
  const Workload workload = stages(32, 60, 100000);
  const double least = workload.work();
  Setting setting = on_sockets(2, 8);
  const double heddle = work_of(simulate(workload, setting)) / least;
  setting.runtime = Runtime::kGnu;
  const double gnu = work_of(simulate(workload, setting)) / least;
  EXPECT_LT(heddle, gnu);
  EXPECT_LE(gnu, kRemote);
  setting.sockets = 1;
  EXPECT_EQ(work_of(simulate(workload, setting)), least);
}

TEST(Sockets, ASimulationIsTheSameEachTime) {
  const Workload workload = stages(12, 20, 30000);
  const Setting setting = on_sockets(2, 6);
  EXPECT_EQ(simulate(workload, setting).duration, simulate(workload, setting).duration);
}

}  // namespace
}  // namespace heddle::simulate
