#include "storage/schedule.hpp"

#include <gtest/gtest.h>

#include <csignal>

#include "program/user_error.hpp"

namespace heddle::storage {
namespace {

CheckpointRequest request_of(const std::string& text) {
  CheckpointRequest request;
  parse_frequency("--checkpoint_freq", text, request);
  return request;
}

TEST(CheckpointFrequency, IsStepsOrTime) {
  EXPECT_EQ(request_of("30").steps, 30);
  EXPECT_EQ(request_of("30s").seconds, 30.0);
  EXPECT_EQ(request_of("1.5m").seconds, 90.0);
  EXPECT_EQ(request_of("2h").seconds, 7200.0);
  EXPECT_FALSE(request_of("0").is_asked_for());
  for (const char* const wrong : {"", "s", "-1", "-1s", "3d", "0m"})
    EXPECT_THROW(request_of(wrong), program::UserError) << wrong;
}

TEST(CheckpointSchedule, AnswersBySteps) {
  exchange::SerialCommunicator alone;
  CheckpointSchedule schedule(request_of("3"), alone, 4);
  EXPECT_FALSE(schedule.after(5).is_due);
  EXPECT_TRUE(schedule.after(6).is_due);
  EXPECT_FALSE(schedule.after(7).is_due);
}

TEST(CheckpointSchedule, AnswersByTime) {
  exchange::SerialCommunicator alone;
  CheckpointSchedule never(request_of("100h"), alone);
  EXPECT_FALSE(never.after(1).is_due);
  CheckpointSchedule always(request_of("0.000000001s"), alone);
  EXPECT_TRUE(always.after(1).is_due);
}

TEST(CheckpointSchedule, AnswersSignals) {
  exchange::SerialCommunicator alone;
  CheckpointSchedule schedule(request_of("100h"), alone);
  std::raise(SIGUSR1);
  const auto one = schedule.after(1);
  EXPECT_TRUE(one.is_due && !one.must_end);
  EXPECT_FALSE(schedule.after(2).is_due);
  std::raise(SIGTERM);
  const auto last = schedule.after(3);
  EXPECT_TRUE(last.is_due && last.must_end);
  std::signal(SIGTERM, SIG_DFL);
}

}  // namespace
}  // namespace heddle::storage
