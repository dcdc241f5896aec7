#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <memory>
#include <string>

#include "made_workload.hpp"
#include "program/user_error.hpp"
#include "simulate/network/platform.hpp"
#include "simulate/network/queued_links.hpp"
#include "simulate/network/shared_links.hpp"

namespace heddle::simulate {
namespace {

constexpr std::int64_t kBytes = 1'000'000;  // bytes: 1 ms on a link

// Four nodes; each one's link takes 1 GB/s either way, and half of 20 us.
class NetworkOf : public testing::TestWithParam<bool> {
 protected:
  static const Platform& platform() {
    static const std::unique_ptr<Platform> made = [] {
      const std::string path = testing::TempDir() + "machine." + std::to_string(::getpid()) + ".xml";
      std::ofstream(path) << R"(<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <cluster id="nodes" prefix="node-" suffix="" radical="0-3" speed="1Gf" core="2" bw="1GBps" lat="10us"
           sharing_policy="SPLITDUPLEX"/>
</platform>)";
      auto result = std::make_unique<Platform>(path);
      std::remove(path.c_str());
      return result;
    }();
    return *made;
  }
  // Units: us.
  static double duration(const Workload& workload) { return outcome(workload).duration / 1000; }
  static Outcome outcome(const Workload& workload) {
    std::unique_ptr<Network> network;
    if (GetParam())
      network = std::make_unique<QueuedLinks>(platform());
    else
      network = std::make_unique<SharedLinks>(platform());
    Setting setting = free_of_cost(1);
    setting.nodes = static_cast<int>(workload.processes.size());
    setting.network = network.get();
    return simulate(workload, setting);
  }
  // A process a node; each sends what it has to whom it says, at once.
  static Workload sends(std::initializer_list<std::pair<int, int>> pairs, int processes) {
    Workload result{"made", 1, {"task"}, std::vector<ProcessText>(static_cast<std::size_t>(processes))};
    int channel = 0;
    for (const auto& [from, to] : pairs) {
      post(result, from, {MessageKind::kSend, to, channel, kBytes});
      post(result, to, {MessageKind::kReceive, from, channel++, 0});
    }
    for (ProcessText& process : result.processes)
      for (std::size_t i = 0; i < process.messages.size(); ++i)
        process.main.push_back({Op::kAwait, static_cast<std::int64_t>(i)});
    return result;
  }

 private:
  static void post(Workload& workload, int process, MessageText message) {
    ProcessText& text = workload.processes[static_cast<std::size_t>(process)];
    text.main.push_back({Op::kPost, static_cast<std::int64_t>(text.messages.size())});
    text.messages.push_back(message);
  }
};

TEST_P(NetworkOf, AMessageTakesTheLatencyAndItsBytes) {
  EXPECT_NEAR(duration(sends({{0, 1}}, 2)), 1020, 0.01);
  EXPECT_EQ(platform().route(0, 1).latency, from_ns(20'000));
}

TEST_P(NetworkOf, SaysWhatWentOverTheBusiestLink) {
  EXPECT_NEAR(outcome(sends({{0, 1}}, 2)).busiest_link, 1e6, 1);
  // Two leave by node 0's, three come by node 3's.
  EXPECT_NEAR(outcome(sends({{0, 1}, {0, 3}, {1, 3}, {2, 3}}, 4)).busiest_link, 3e6, 1);
}

TEST_P(NetworkOf, MessagesBetweenOthersAndBackDoNotDisturb) {
  EXPECT_NEAR(duration(sends({{0, 1}, {1, 0}, {2, 3}}, 4)), 1020, 0.01);
}

TEST_P(NetworkOf, ThoseThatLeaveOrEnterTogetherTakeALinkTogether) {
  EXPECT_NEAR(duration(sends({{0, 1}, {0, 2}, {0, 3}}, 4)), 3020, 0.01);
  EXPECT_NEAR(duration(sends({{1, 0}, {2, 0}, {3, 0}}, 4)), 3020, 0.01);
}

TEST_P(NetworkOf, TheSameAgain) {
  const Workload workload = sends({{0, 1}, {1, 2}, {2, 3}, {3, 1}, {0, 2}}, 4);
  const double first = duration(workload);
  EXPECT_EQ(duration(workload), first);
}

TEST_P(NetworkOf, ACollectiveOperationWaitsForTheNetwork) {
  Workload workload{"made", 1, {"task"}, std::vector<ProcessText>(4)};
  for (ProcessText& process : workload.processes) {
    process.messages = {{MessageKind::kCollective, 0, 0, 0}};
    process.main = {{Op::kPost, 0}, {Op::kAwait, 0}};
  }
  EXPECT_NEAR(duration(workload), 2 * 20, 0.01);
}

TEST_P(NetworkOf, WhatDoesNotEndIsToldOf) {
  Workload workload = sends({{0, 1}}, 2);
  workload.processes[0].main.clear();
  workload.processes[0].messages.clear();
  try {
    duration(workload);
    FAIL();
  } catch (const program::UserError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("does not end"));
  }
}

INSTANTIATE_TEST_SUITE_P(Links, NetworkOf, testing::Bool(),
                         [](const auto& which) { return which.param ? "queued" : "shared"; });

}  // namespace
}  // namespace heddle::simulate
