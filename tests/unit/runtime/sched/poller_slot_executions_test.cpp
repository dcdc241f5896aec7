// Every execution of threads that call a poller with the one that removes it, under the C++ memory model: one
// call at a time, one an interval, none afterwards, and each call knows what the one before it did.
#include <gtest/gtest.h>

#include <memory>

#include "sched/pollers.hpp"
#include "support/executions.hpp"

namespace heddle {
namespace {

using test::ExploredAtomic;
using test::ExploredData;
using test::Explorer;

// What a poller works on; made anew for each.
struct Work {
  ExploredData<int> calls{-1};
  ExploredData<bool> is_there{false};
};

struct Shared {
  PollerSlot<ExploredAtomic> slot;
  Work first, second;

  static void poll(void* argument) {
    auto& work = *static_cast<Work*>(argument);
    Explorer::check(work.is_there.get(), "it is called while it is there");
    work.calls.set(work.calls.get() + 1);
  }
  void add(Work& work, std::int64_t interval_ns) {
    work.calls.set(0);
    work.is_there.set(true);
    slot.add({&Shared::poll, &work, interval_ns}, -interval_ns);
  }
  // As remove_poller() does.
  void remove(Work& work) {
    constexpr std::uint32_t kLeaving = 3;
    slot.remove(false, [&](auto&& is_over) {
      using Where = std::source_location;
      const auto load = [](const auto& word, std::memory_order order, Where where = Where::current()) {
        return word.load(order, where);
      };
      const auto await = [](const auto& word, std::memory_order order, Where where = Where::current()) {
        return word.await([](std::uint32_t value) { return value != kLeaving; }, order, where);
      };
      if (!is_over(load)) is_over(await);
    });
    work.is_there.set(false);
  }
};

std::int64_t still() {
  return 0;
}

struct Case {
  int callers = 1, looks = 1;  // of each
  bool is_removed = true, adds_another = false;
  std::int64_t interval_ns = 0;
};

std::function<Explorer::Scenario()> scenario(const Case& c) {
  return [c] {
    auto shared = std::make_shared<Shared>();
    shared->add(shared->first, c.interval_ns);
    Explorer::Scenario scenario;
    for (int i = 0; i < c.callers; ++i)
      scenario.threads.emplace_back([=] {
        for (int look = 0; look < c.looks; ++look) shared->slot.call_if_due(1, &still);
      });
    if (c.is_removed)
      scenario.threads.emplace_back([=] {
        shared->remove(shared->first);
        if (!c.adds_another) return;
        Explorer::check(shared->slot.is_free(), "a slot is free when its poller was removed");
        shared->add(shared->second, c.interval_ns);
      });
    scenario.at_end = [=] {
      const bool is_free = c.is_removed && !c.adds_another;
      Explorer::check(shared->slot.is_free() == is_free, "it is there or not");
      Explorer::check((shared->slot.due() == INT64_MAX) == is_free, "it is due once it is there");
      shared->slot.survive_fork(false);
      Explorer::check(shared->slot.is_free() == is_free, "a fork changes nothing where no poller runs");
      const int calls = shared->first.calls.get();
      Explorer::check(c.interval_ns == 0 || calls == 1, "one call an interval");
      Explorer::check(calls <= c.callers * c.looks, "a call for a look");
    };
    return scenario;
  };
}

// A thread that finds the slot free may use what the poller's calls have used.
Explorer::Scenario a_look_whether_it_is_free() {
  auto shared = std::make_shared<Shared>();
  shared->add(shared->first, 0);
  Explorer::Scenario scenario;
  scenario.threads = {[=] { shared->slot.call_if_due(1, &still); },
                      [=] { shared->slot.remove(true, [](auto&&) {}); },  // whoever calls it waits for nobody
                      [=] {
                        if (shared->slot.is_free()) shared->first.calls.set(0);
                      }};
  return scenario;
}

// A thread that waits for the end of a poller's call looks when the next poller leaves the slot already.
Explorer::Scenario a_wait_for_two() {
  auto shared = std::make_shared<Shared>();
  shared->add(shared->first, 0);
  Explorer::Scenario scenario;
  scenario.threads = {[=] {
                        shared->slot.call_if_due(1, &still);
                        if (!shared->slot.is_free()) return;
                        const auto leave = [](void* argument) {
                          static_cast<Shared*>(argument)->slot.remove(true, [](auto&&) {});
                        };
                        shared->slot.add({leave, shared.get(), 0}, 0);
                        shared->slot.call_if_due(1, &still);
                      },
                      [=] { shared->remove(shared->first); }};
  return scenario;
}

// A process forks while another thread runs the poller: that thread is lost.
Explorer::Scenario a_fork() {
  auto shared = std::make_shared<Shared>();
  const auto fork = [](void* argument) {
    auto& slot = static_cast<Shared*>(argument)->slot;
    slot.survive_fork(true);
    Explorer::check(!slot.is_free(), "the thread that forks still runs it");
    slot.survive_fork(false);
  };
  shared->slot.add({fork, shared.get(), 0}, 0);
  Explorer::Scenario scenario;
  scenario.threads = {[=] { shared->slot.call_if_due(1, &still); }};
  return scenario;
}

TEST(PollerSlotExecutions, EachOrderIsNeeded) {
  test::expect_each_order_is_needed(
      {"sched/pollers.hpp"},
      {{"two callers and a removal", scenario({.callers = 2})},
       {"a caller that comes again", scenario({.callers = 1, .looks = 2, .adds_another = true})},
       {"two callers in an interval", scenario({.callers = 2, .is_removed = false, .interval_ns = 5})},
       {"a look whether it is free", a_look_whether_it_is_free},
       {"a wait for two", a_wait_for_two},
       {"a fork", a_fork}});
}

}  // namespace
}  // namespace heddle
