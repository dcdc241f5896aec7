// Every execution of the two ends of a detachable task, under the C++ memory model: one comes first, and a
// tool that is called for the event behind the body sees what it did for the body.
#include "trace/first_end.hpp"

#include <gtest/gtest.h>

#include <memory>

#include "support/executions.hpp"

namespace heddle {
namespace {

using test::ExploredAtomic;
using test::ExploredData;
using test::Explorer;

Explorer::Scenario both_ends() {
  struct Shared {
    FirstEnd<ExploredAtomic> end;
    ExploredData<int> of_tool{0};
    bool is_body_first = false, is_event_first = false;
  };
  auto shared = std::make_shared<Shared>();
  Explorer::Scenario scenario;
  scenario.threads = {[=] {
                        shared->is_body_first = shared->end.returns();
                        if (!shared->is_body_first) return;
                        shared->of_tool.set(1);
                        shared->end.has_returned();
                      },
                      [=] {
                        shared->is_event_first = shared->end.fulfilled(test::kAwaitOn);
                        if (!shared->is_event_first)
                          Explorer::check(shared->of_tool.get() == 1, "the tool was called for the body");
                      }};
  scenario.at_end = [=] {
    Explorer::check(shared->is_body_first != shared->is_event_first, "one of them is the first");
  };
  return scenario;
}

TEST(FirstEndExecutions, EachOrderIsNeeded) {
  test::expect_each_order_is_needed({"trace/first_end.hpp"}, {{"both ends", both_ends}});
}

}  // namespace
}  // namespace heddle
