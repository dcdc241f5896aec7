// Every execution of a task of a record that begins with the fulfilment of its event, under the C++ memory
// model: the event is fulfilled once, whichever comes first, and behind it is what was done before.
#include "graph/graph_event.hpp"

#include <gtest/gtest.h>

#include <memory>

#include "support/executions.hpp"

namespace heddle {
namespace {

using test::ExploredAtomic;
using test::ExploredData;
using test::Explorer;

struct ExploredTask {
  struct Status {
    bool is_fulfilled = false;
    void fulfill_early() { is_fulfilled = true; }
  };
  Status status;
  ExploredData<int> body{0};
};

struct Shared {
  BasicGraphEvent<ExploredTask, ExploredAtomic> event;
  ExploredTask task;
  ExploredData<int> before_event{0};
  bool is_late = false;

  void begin() {
    task.body.set(1);
    event.begin(task);
    if (task.status.is_fulfilled)
      Explorer::check(before_event.get() == 1, "what was done before the event is there");
  }
  // Returns whether it was the first.
  bool fulfill(bool has_done) {
    if (has_done) before_event.set(1);
    ExploredTask* const fulfilled = event.fulfilled();
    if (event.was_fulfilled(fulfilled)) return false;
    is_late = fulfilled != nullptr;
    if (is_late) Explorer::check(fulfilled->body.get() == 1, "the task is as it began");
    return true;
  }
};

Explorer::Scenario one_execution() {
  auto shared = std::make_shared<Shared>();
  shared->event.expect();
  Explorer::Scenario scenario;
  scenario.threads = {[=] { shared->begin(); },
                      [=] { Explorer::check(shared->fulfill(true), "it is fulfilled once"); }};
  scenario.at_end = [=] {
    Explorer::check(shared->is_late != shared->task.status.is_fulfilled, "either way the task learns of it");
    Explorer::check(!shared->fulfill(false), "nobody fulfils it again");
  };
  return scenario;
}

// Where a program fulfils it twice, one of the two learns of it.
Explorer::Scenario two_fulfil() {
  auto shared = std::make_shared<Shared>();
  shared->event.expect();
  auto times = std::make_shared<int>(0);
  Explorer::Scenario scenario;
  for (int i = 0; i < 2; ++i)
    scenario.threads.emplace_back([=] { *times += shared->fulfill(false) ? 1 : 0; });
  scenario.threads.emplace_back([=] {
    shared->task.body.set(1);
    shared->event.begin(shared->task);
  });
  scenario.at_end = [=] { Explorer::check(*times == 1, "one fulfils it"); };
  return scenario;
}

TEST(GraphEventExecutions, EachOrderIsNeeded) {
  test::expect_each_order_is_needed({"graph/graph_event.hpp"},
                                    {{"one execution", one_execution}, {"two fulfil", two_fulfil}});
}

}  // namespace
}  // namespace heddle
