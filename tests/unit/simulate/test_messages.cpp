#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "made_workload.hpp"
#include "program/user_error.hpp"

namespace heddle::simulate {
namespace {

using enum MessageKind;
constexpr std::int64_t kSmall = 100, kLarge = 10'000;  // on either side of the eager limit

// Two processes without threads; a message within a node takes 50 ns and 1 for each byte.
Workload exchange(Script sender, Script receiver, std::int64_t bytes) {
  Workload result{"made", 1, {"task"}, std::vector<ProcessText>(2)};
  result.processes[0].messages = {{kSend, 1, 0, bytes}};
  result.processes[1].messages = {{kReceive, 0, 0, 0}};
  result.processes[0].main = std::move(sender);
  result.processes[1].main = std::move(receiver);
  return result;
}

Outcome outcome(const Workload& workload, int workers = 1) {
  Setting setting = free_of_cost(workers);
  setting.costs.messages.latency = 50;
  setting.costs.messages.byte = 1;
  return simulate(workload, setting);
}

TEST(Messages, ASmallOneLeavesAtOnce) {
  // The sender goes on; the receiver has it 150 ns later, whether it waits or comes for it.
  const Script send = {{Op::kPost, 0}, {Op::kAwait, 0}, {Op::kWork, 10}};
  EXPECT_EQ(outcome(exchange(send, {{Op::kPost, 0}, {Op::kAwait, 0}, {Op::kWork, 7}}, kSmall)).duration, 157);
  EXPECT_EQ(outcome(exchange(send, {{Op::kWork, 400}, {Op::kPost, 0}, {Op::kAwait, 0}}, kSmall)).duration,
            400);
}

TEST(Messages, ALargeOneLeavesWhenItsReceiveIsThere) {
  const Script send = {{Op::kPost, 0}, {Op::kAwait, 0}, {Op::kWork, 10}};
  const Script receive = {{Op::kWork, 400}, {Op::kPost, 0}, {Op::kWork, 60}, {Op::kAwait, 0}};
  const Outcome found = outcome(exchange(send, receive, kLarge));
  EXPECT_EQ(found.duration, 400 + 50 + kLarge + 10);
  EXPECT_EQ(found.messages, 1U);
  EXPECT_EQ(found.bytes, static_cast<std::uint64_t>(kLarge));
}

TEST(Messages, ThoseOfAChannelMeetInTheirOrder) {
  Workload workload = exchange({}, {}, kSmall);
  workload.processes[0].messages = {{kSend, 1, 0, 10}, {kSend, 1, 1, 200}, {kSend, 1, 0, 30}};
  workload.processes[1].messages = {{kReceive, 0, 0, 0}, {kReceive, 0, 0, 0}, {kReceive, 0, 1, 0}};
  workload.processes[0].main = {{Op::kPost, 0}, {Op::kPost, 1}, {Op::kPost, 2}};
  workload.processes[1].main = {{Op::kPost, 0}, {Op::kPost, 1}, {Op::kPost, 2}, {Op::kAwait, 1}};
  EXPECT_EQ(outcome(workload).duration, 80);  // of channel 0 the second
  workload.processes[1].main.back() = {Op::kAwait, 2};
  EXPECT_EQ(outcome(workload).duration, 250);
}

// A task binds its receive; another one depends on it, a third does not.
Workload bound() {
  Workload result = created_by_one({task_of(0, {{0, kInOut}}), task_of(100, {{0, kIn}}), task_of(100)});
  ProcessText& receiver = only(result);
  receiver.messages = {{kReceive, 1, 0, 0}};
  receiver.tasks[0].script = {{Op::kPost, 0}, {Op::kBind, 0}};
  result.processes.emplace_back();
  result.processes[1].messages = {{kSend, 0, 0, 350}};
  result.processes[1].main = {{Op::kPost, 0}};
  return result;
}

TEST(Messages, ATaskCompletesWithTheMessageThatIsBoundToIt) {
  for (const int workers : {1, 2}) EXPECT_EQ(outcome(bound(), workers).duration, 400 + 100);
}

TEST(Messages, WhoHasNothingToDoSeesAtOnceThatABoundOneIsThere) {
  Workload workload = bound();
  only(workload).tasks[2].script = {{Op::kWork, 1000}};
  EXPECT_EQ(outcome(workload, 2).duration, 1000);
  // One thread sees it when its task has ended.
  EXPECT_EQ(outcome(workload, 1).duration, 1000 + 100);
}

TEST(Messages, ACollectiveOperationEndsForAllWhenTheLastHasCome) {
  for (const auto& [processes, steps] : {std::pair{1, 0}, {2, 1}, {4, 2}, {5, 3}}) {
    Workload workload{"made", 1, {"task"}, std::vector<ProcessText>(static_cast<std::size_t>(processes))};
    for (ProcessText& process : workload.processes) {
      process.messages = {{kCollective, 0, 0, 0}};
      process.main = {
          {Op::kWork, 100 * (&process - workload.processes.data() + 1)}, {Op::kPost, 0}, {Op::kAwait, 0}};
    }
    EXPECT_EQ(outcome(workload).duration, 100 * processes + 50 * steps) << processes;
  }
}

TEST(Messages, AReceiveOfWhatNobodySendsIsToldOf) {
  const Workload workload = exchange({}, {{Op::kPost, 0}, {Op::kAwait, 0}}, kSmall);
  try {
    outcome(workload);
    FAIL();
  } catch (const program::UserError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("a message that nobody sends"));
  }
}

}  // namespace
}  // namespace heddle::simulate
