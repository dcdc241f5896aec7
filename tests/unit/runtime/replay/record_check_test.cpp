#include "replay/graph_check.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <vector>

#include "graph/recorded_regions.hpp"

namespace heddle {
namespace {

using What = RecordDifference::What;

std::vector<RecordDifference> differences(const TaskLog& recorded, const TaskLog& now,
                                          bool relocates = false) {
  std::vector<RecordDifference> found;
  compare_records(recorded, now, relocates, [&](const auto& each) { found.push_back(each); });
  return found;
}

char g_code[4];

TaskBody body_with(std::span<const std::uint64_t> data, std::size_t code = 0) {
  TaskBody body;
  body.run = [](void*, void*) {};
  body.code = &g_code[code];
  body.data = data.data();
  body.bytes = data.size_bytes();
  body.alignment = 8;
  return body;
}

void add(TaskLog& task_log, std::vector<std::uint64_t> data, bool moves = true) {
  TaskBody body = body_with(data);
  body.data_may_move = moves;
  task_log.add_task(body, {}, Gate::kNo);
}

TEST(RecordCheck, FindsNothingInARegionThatRepeatsItself) {
  for (std::uint32_t seed = 1; seed <= 50; ++seed) {
    const test::Region region = test::random_region(seed, 120, 1 + seed % 9);
    TaskLog recorded, now;
    TaskBody body;
    body.run = [](void*, void*) {};
    test::tell(region, recorded, body);
    test::tell(region, now, body);
    EXPECT_TRUE(differences(recorded, now).empty()) << "seed " << seed;
  }
}

TEST(RecordCheck, CountsTasksAndWaits) {
  TaskLog recorded, now;
  add(recorded, {1});
  add(now, {1});
  now.add_wait();
  const auto found = differences(recorded, now);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].what, What::kCount);
  EXPECT_EQ(found[0].was, 1u);
  EXPECT_EQ(found[0].is, 2u);
}

TEST(RecordCheck, TellsConstructsApartByCodePriorityGateAndWait) {
  const auto with = [](std::size_t code, std::int32_t priority, Gate gate) {
    TaskBody body = body_with({}, code);
    body.priority = priority;
    auto task_log = std::make_unique<TaskLog>();
    task_log->add_task(body, {}, gate);
    return task_log;
  };
  const auto recorded = with(0, 0, Gate::kNo);
  EXPECT_TRUE(differences(*recorded, *with(0, 0, Gate::kNo)).empty());
  auto wait = std::make_unique<TaskLog>();
  wait->add_wait();
  for (const auto& now :
       {with(1, 0, Gate::kNo), with(0, 1, Gate::kNo), with(0, 0, Gate::kYes), std::move(wait)}) {
    const auto found = differences(*recorded, *now);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].what, What::kConstruct);
    EXPECT_EQ(found[0].recorded_code, &g_code[0]);
  }
  const auto found = differences(*recorded, *with(1, 0, Gate::kNo));
  EXPECT_EQ(found[0].code, &g_code[1]);
}

TEST(RecordCheck, TellsDependencesApartByNumberKindAndAddress) {
  const auto with = [](std::vector<Dependence> dependences) {
    auto task_log = std::make_unique<TaskLog>();
    task_log->add_task(body_with({}), dependences, Gate::kNo);
    return task_log;
  };
  const Dependence one{test::address_of(1), AccessKind::kIn, false};
  const Dependence all{nullptr, AccessKind::kOut, true};
  const auto recorded = with({one});
  EXPECT_TRUE(differences(*recorded, *with({one})).empty());
  EXPECT_TRUE(differences(*with({all}), *with({all})).empty());
  for (const auto& now : {with({}), with({one, one}), with({{test::address_of(2), AccessKind::kIn, false}}),
                          with({{test::address_of(1), AccessKind::kOut, false}}), with({all})}) {
    const auto found = differences(*recorded, *now);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].what, What::kDependences);
    EXPECT_EQ(found[0].was, 1u);
  }
}

// As of variables in another frame.
TEST(RecordCheck, TakesOtherAddressesAsEqualWhereTheyAreFoundAnew) {
  const auto with = [](std::vector<std::uint32_t> addresses) {
    auto task_log = std::make_unique<TaskLog>();
    for (const std::uint32_t n : addresses) {
      const Dependence one{test::address_of(n), AccessKind::kOut, false};
      task_log->add_task(body_with({}), {&one, 1}, Gate::kNo);
    }
    return task_log;
  };
  const auto recorded = with({1, 2, 1}), moved = with({8, 9, 8});
  EXPECT_TRUE(differences(*recorded, *moved, true).empty());
  EXPECT_EQ(differences(*recorded, *moved).size(), 3u);
  EXPECT_EQ(differences(*recorded, *with({8, 9, 9}), true).size(), 1u);
  EXPECT_EQ(differences(*recorded, *with({8, 8, 8}), true).size(), 1u);
}

TEST(RecordCheck, NamesEachWordThatDiffersAndItsBytes) {
  for (const bool moves : {true, false}) {
    TaskLog recorded, now;
    add(recorded, {7, 0x1122, 3}, moves);
    add(now, {7, 0x3322, 0x0400'0000'0000'0003}, moves);
    const auto found = differences(recorded, now);
    ASSERT_EQ(found.size(), 2u);
    EXPECT_EQ(found[0].what, What::kData);
    EXPECT_EQ(found[0].offset, 8u);
    EXPECT_EQ(found[0].bytes, 0b10u);
    EXPECT_EQ(found[0].was, 0x1122u);
    EXPECT_EQ(found[0].is, 0x3322u);
    EXPECT_EQ(found[0].captured_bytes, 24u);
    EXPECT_EQ(found[1].offset, 16u);
    EXPECT_EQ(found[1].bytes, 0x80u);
    EXPECT_TRUE(differences(recorded, now, true).empty());
  }
}

// A task with other dependences may capture other values besides.
TEST(RecordCheck, NamesValuesOfATaskWithOtherDependencesAsWell) {
  TaskLog recorded, now;
  const std::vector<std::uint64_t> before{1}, after{2};
  const Dependence one{test::address_of(1), AccessKind::kIn, false};
  recorded.add_task(body_with(before), {}, Gate::kNo);
  now.add_task(body_with(after), {&one, 1}, Gate::kNo);
  const auto found = differences(recorded, now);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].what, What::kDependences);
  EXPECT_EQ(found[1].what, What::kData);
}

// The first word is an address within the copy, so many words from its beginning.
template <std::ptrdiff_t kOffset>
std::unique_ptr<TaskLog> with_pointer() {
  const std::vector<std::uint64_t> data{0, 0};
  TaskBody body = body_with(data);
  body.copy = [](void* to, void*) {
    const std::uint64_t words[] = {reinterpret_cast<std::uint64_t>(to) + kOffset * sizeof(std::uint64_t), 5};
    std::memcpy(to, words, sizeof words);
  };
  auto task_log = std::make_unique<TaskLog>();
  task_log->add_task(body, {}, Gate::kNo);
  return task_log;
}

// As of Clang's tasks: the address of their list of shared variables, which lies behind their data.
TEST(RecordCheck, TakesPointersToTheSamePlaceInTheCapturedDataAsEqual) {
  const auto recorded = with_pointer<1>();
  EXPECT_TRUE(differences(*recorded, *with_pointer<1>()).empty());
  const auto found = differences(*recorded, *with_pointer<0>());
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].offset, 0u);
}

TEST(RecordCheck, TakesHandlesOfTheSameTasksEventsAsEqual) {
  const auto with = [](TaskLog& task_log, int task, std::uint64_t other) {
    std::vector<std::uint64_t> data{0, other};
    TaskBody body = body_with(data);
    body.event = &task_log.event_of(&task);
    data[0] = reinterpret_cast<std::uint64_t>(body.event->handle());
    task_log.add_task(body, {}, Gate::kNo);
  };
  TaskLog recorded, same, other, without;
  with(recorded, 0, 1);
  with(same, 0, 1);
  with(other, 0, 2);
  add(without, {0, 1});
  EXPECT_TRUE(differences(recorded, same).empty());
  const auto found = differences(recorded, other);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].offset, 8u);
  ASSERT_EQ(differences(recorded, without).size(), 1u);
  EXPECT_EQ(differences(recorded, without)[0].what, What::kConstruct);
}

TEST(RecordCheck, SaysHowManyBytesAreTheRuntimes) {
  TaskLog recorded, now;
  for (TaskLog* const task_log : {&recorded, &now}) {
    std::vector<std::uint64_t> data(4, task_log == &now);
    TaskBody body = body_with(data);
    body.header_bytes = 16;
    task_log->add_task(body, {}, Gate::kNo);
  }
  const auto found = differences(recorded, now);
  ASSERT_EQ(found.size(), 4u);
  EXPECT_EQ(found[0].header_bytes, 16u);
}

}  // namespace
}  // namespace heddle
