// Every execution of threads that add to a list of ready tasks with those that look at its count before they
// sleep, when they have searched, and when an older execution of a record has ended, under the C++ memory
// model: each task is taken.
#include "sched/ready_count.hpp"

#include <gtest/gtest.h>

#include <memory>

#include "replay/graph_ring.hpp"
#include "support/executions.hpp"
#include "support/explored_futex.hpp"
#include "sync/parking.hpp"

namespace heddle {
namespace {

using test::ExploredAtomic;
using test::Explorer;

// The list's lock orders what it holds, and each change of the count.
struct List {
  ReadyCount<ExploredAtomic> count;
  ExploredAtomic<int> tasks{0};

  void insert() {
    tasks.fetch_add(1, std::memory_order_acq_rel);
    count.add();
  }
  bool take() {
    if (count.looks_empty()) return false;
    int there = 1;
    if (!tasks.compare_exchange_strong(there, 0, std::memory_order_acq_rel, std::memory_order_relaxed))
      return false;
    count.remove();
    return true;
  }
};

struct Shared {
  explicit Shared(int places) : parking(places) { list.count.reset(); }
  List list;
  Parking<ExploredAtomic, test::ExploredSleep> parking;
  GraphRing<ExploredAtomic> ring;
  int taken = 0;
  void check_end() const {
    Explorer::check(taken == 1, "the task is taken");
    Explorer::check(list.count.size() == 0 && list.count.looks_empty(), "no task is left");
  }
};

// A thread falls asleep while a task comes.
Explorer::Scenario a_sleeper() {
  auto shared = std::make_shared<Shared>(1);
  Explorer::Scenario scenario;
  scenario.threads = {[=] {
                        while (!shared->list.take()) {
                          shared->parking.announce(0);
                          const bool is_empty = shared->list.count.looks_empty();
                          if (is_empty ? shared->parking.sleep(0) : !shared->parking.withdraw(0))
                            shared->parking.end_search();
                        }
                        ++shared->taken;
                      },
                      [=] {
                        shared->list.insert();
                        shared->parking.wake_all(1);
                      }};
  scenario.at_end = [=] { shared->check_end(); };
  return scenario;
}

// A thread ends its search while a task comes, and another sleeps.
Explorer::Scenario a_searcher() {
  auto shared = std::make_shared<Shared>(2);
  shared->parking.announce(1);
  shared->parking.begin_search();
  Explorer::Scenario scenario;
  scenario.threads = {[=] {
                        if (shared->parking.end_search() && !shared->list.count.looks_empty())
                          shared->parking.wake_for_work(2);
                      },
                      [=] {
                        shared->list.insert();
                        shared->parking.wake_for_work(2);
                      },
                      [=] {
                        if (shared->parking.sleep(1)) shared->parking.end_search();
                        shared->taken += shared->list.take() ? 1 : 0;
                      }};
  scenario.at_end = [=] { shared->check_end(); };
  return scenario;
}

// A task is queued behind an execution that ends meanwhile: one of the two threads takes it out.
Explorer::Scenario an_execution_ends() {
  auto shared = std::make_shared<Shared>(1);
  const std::uint32_t first = shared->ring.begin();
  Explorer::Scenario scenario;
  scenario.threads = {[=] {
                        if (shared->ring.ended() != first) {
                          ++shared->taken;  // it is not deferred
                          return;
                        }
                        shared->list.insert();
                        if (shared->ring.ended() != first) shared->taken += shared->list.take() ? 1 : 0;
                      },
                      [=] {
                        shared->ring.end_one();
                        shared->taken += shared->list.take() ? 1 : 0;
                      }};
  scenario.at_end = [=] { shared->check_end(); };
  return scenario;
}

TEST(ReadyCountExecutions, EachOrderIsNeeded) {
  test::expect_each_order_is_needed(
      {"sched/ready_count.hpp", "replay/graph_ring.hpp"},
      {{"a sleeper", a_sleeper}, {"a searcher", a_searcher}, {"an execution ends", an_execution_ends}});
}

}  // namespace
}  // namespace heddle
