// Every execution of the threads that meet at a task's flags, under the C++ memory model: the one that
// executes the task in parts, the parent's, whose dependence table refers to the task once more, and one that
// looks at what the task is.
#include <gtest/gtest.h>

#include <memory>

#include "support/executions.hpp"
#include "task/task.hpp"

namespace heddle {
namespace {

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
std::function<Explorer::Scenario()> executed_in_parts(void (*retain)(Shared&)) {
  return [=] {
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
    scenario.threads.emplace_back([=] {
      Explorer::check((shared->flags & Task::kInTable) != 0, "what does not change is always there");
    });
    scenario.at_end = [=] {
      Explorer::check(shared->references == 2, "the reference is counted");
      Explorer::check(shared->parts_run == kParts && shared->has_begun, "each part has run");
      Explorer::check((shared->flags & Task::kHasMoreParts) == 0, "no part is left");
    };
    return scenario;
  };
}

TEST(TaskFlagsExecutions, EachOrderIsNeeded) {
  test::expect_each_order_is_needed(
      {"task/task.hpp"},
      {{"parts run while the table counts", executed_in_parts([](Shared& s) { ++s.references; })}});
}

// What the test above would find.
TEST(TaskFlagsExecutions, ASecondWriterLosesParts) {
  const auto sets_a_flag = [](Shared& s) {
    ++s.references;
    s.flags.set(Task::kInTable);
  };
  EXPECT_TRUE(Explorer::run(executed_in_parts(sets_a_flag)).has_failed());
}

}  // namespace
}  // namespace heddle
