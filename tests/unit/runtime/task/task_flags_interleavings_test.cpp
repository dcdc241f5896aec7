// Every interleaving of the threads that meet at a task's flags: the one that executes the task in parts, the
// parent's, whose dependence table refers to the task once more, and one that looks at what the task is.
#include <gtest/gtest.h>

#include <memory>

#include "support/explore.hpp"
#include "task/task.hpp"

namespace heddle {
namespace {

using test::expect_every_schedule_ends;
using test::ExploredAtomic;
using test::Explorer;

constexpr int kParts = 3;

struct Shared {
  TaskFlags<ExploredAtomic> flags;
  unsigned references = 1;
  int parts_run = 0;
  bool has_begun = false;
};

// retain: what the parent's thread does to a task that it has published.
template <class Retain>
std::uint64_t schedules_that_lose(Retain&& retain, Explorer::Result* result) {
  auto losses = std::make_shared<std::uint64_t>(0);
  *result = Explorer::run([=] {
    auto shared = std::make_shared<Shared>();
    shared->flags = Task::kUntied | Task::kInTable;
    Explorer::Scenario scenario;
    scenario.threads.emplace_back([=] {  // as execute_claimed() does with each part
      for (int i = 0; i < kParts; ++i) {
        if (i + 1 < kParts) shared->flags.set(Task::kHasMoreParts);
        ++shared->parts_run;
        if ((shared->flags & Task::kHasMoreParts) == 0) break;
        shared->flags.clear(Task::kHasMoreParts);
        shared->flags.set(Task::kHasBegun);
      }
      shared->has_begun = (shared->flags & Task::kHasBegun) != 0;
    });
    scenario.threads.emplace_back([=] { retain(*shared); });
    scenario.threads.emplace_back([=] { EXPECT_TRUE((shared->flags & Task::kInTable) != 0); });
    scenario.at_end = [=] {
      EXPECT_EQ(shared->references, 2u);
      const bool has_more = (shared->flags & Task::kHasMoreParts) != 0;
      if (shared->parts_run != kParts || !shared->has_begun || has_more) ++*losses;
    };
    return scenario;
  });
  return *losses;
}

TEST(TaskFlagsInterleavings, PartsAreNeitherLostNorRepeatedWhileTheTableCounts) {
  Explorer::Result result;
  const std::uint64_t losses = schedules_that_lose([](Shared& s) { ++s.references; }, &result);
  expect_every_schedule_ends(result);
  EXPECT_GT(result.schedules, 20u);
  EXPECT_EQ(losses, 0u);
}

// What the test above would find.
TEST(TaskFlagsInterleavings, ASecondWriterLosesParts) {
  Explorer::Result result;
  const auto write = [](Shared& s) {
    ++s.references;
    s.flags.set(Task::kInTable);
  };
  EXPECT_GT(schedules_that_lose(write, &result), 0u);
}

}  // namespace
}  // namespace heddle
