// Every execution of a task that blocks, or waits for events of a library, with the threads that unblock it
// and whose events come, under the C++ memory model: of two that meet one comes second, and knows what the
// first did.
#include "task/external_state.hpp"

#include <gtest/gtest.h>

#include <memory>

#include "support/executions.hpp"

namespace heddle {
namespace {

using test::ExploredAtomic;
using test::ExploredData;
using test::Explorer;

struct Waiter {
  ExploredData<int> prepared;   // written before it waits, read by the thread that resumes it
  ExploredAtomic<int> resumed;  // stands in for the resume queue
  void wait() {
    resumed.await([](int times) { return times == 1; }, std::memory_order_acquire);
    resumed.store(0, std::memory_order_relaxed);
  }
};

struct Shared {
  BlockWord<Waiter, ExploredAtomic> blocked;
  PendingEvents<ExploredAtomic> events;
  Waiter waiter;
  ExploredData<int> done[2];  // before each unblocks it, or its event comes
  int times_last[3] = {};
};

// A task blocks twice, and is unblocked once for each: not before it has gone on the first time.
std::function<Explorer::Scenario()> blocks(int times) {
  return [=] {
    struct Both : Shared {
      ExploredAtomic<int> went_on{0};
    };
    auto shared = std::make_shared<Both>();
    Explorer::Scenario scenario;
    scenario.threads.emplace_back([=] {
      for (int i = 0; i < times; ++i) {
        shared->waiter.prepared.set(i + 1);
        if (shared->blocked.begin_wait(shared->waiter)) shared->waiter.wait();
        Explorer::check(shared->done[i].get() == 1, "what was done before it was unblocked is there");
        shared->went_on.store(i + 1, std::memory_order_release);
      }
    });
    for (int i = 0; i < times; ++i)
      scenario.threads.emplace_back([=] {
        shared->went_on.await([i](int went_on) { return went_on >= i; }, std::memory_order_acquire);
        shared->done[i].set(1);
        Waiter* waiter = nullptr;
        Explorer::check(shared->blocked.unblock(&waiter), "it is unblocked once");
        if (waiter == nullptr) return;
        Explorer::check(waiter->prepared.get() == i + 1, "what the waiter did is there");
        waiter->resumed.store(1, std::memory_order_release);
      });
    return scenario;
  };
}

// Two threads unblock one task at once: it goes on once, and one of them may be refused.
Explorer::Scenario two_unblock() {
  auto shared = std::make_shared<Shared>();
  Explorer::Scenario scenario;
  scenario.threads.emplace_back([=] {
    shared->waiter.prepared.set(1);
    if (shared->blocked.begin_wait(shared->waiter)) shared->waiter.wait();
  });
  for (int i = 0; i < 2; ++i)
    scenario.threads.emplace_back([=] {
      Waiter* waiter = nullptr;
      if (!shared->blocked.unblock(&waiter) || waiter == nullptr) return;
      Explorer::check(waiter->prepared.get() == 1, "what the waiter did is there");
      waiter->resumed.store(1, std::memory_order_release);
    });
  return scenario;
}

// The last of a body and two events completes the task.
Explorer::Scenario events_come() {
  auto shared = std::make_shared<Shared>();
  shared->events.begin_body();
  shared->events.add(2);
  Explorer::Scenario scenario;
  const auto complete = [](Shared& s, int who) {
    ++s.times_last[who];
    for (auto& done : s.done) Explorer::check(done.get() == 1, "what was done before the events is there");
  };
  scenario.threads.emplace_back([=] {
    if (shared->events.end_body()) complete(*shared, 2);
  });
  for (int i = 0; i < 2; ++i)
    scenario.threads.emplace_back([=] {
      shared->done[i].set(1);
      if (shared->events.done(1)) complete(*shared, i);
    });
  scenario.at_end = [=] {
    Explorer::check(shared->times_last[0] + shared->times_last[1] + shared->times_last[2] == 1,
                    "one is the last");
  };
  return scenario;
}

Explorer::Scenario a_look_at_the_events() {
  auto shared = std::make_shared<Shared>();
  shared->events.add(1);
  Explorer::Scenario scenario;
  scenario.threads = {[=] {
                        const bool is_over = shared->events.is_empty();
                        Explorer::check(!is_over || shared->events.count() == 0, "what is over stays so");
                        if (shared->events.count() == 0)
                          Explorer::check(shared->done[0].get() == 1,
                                          "what was done before the event is there");
                      },
                      [=] {
                        shared->done[0].set(1);
                        shared->events.done(1);
                      }};
  return scenario;
}

TEST(ExternalStateExecutions, EachOrderIsNeeded) {
  test::expect_each_order_is_needed({"task/external_state.hpp"},
                                    {{"a task blocks", blocks(1)},
                                     {"a task blocks twice", blocks(2)},
                                     {"two unblock it", two_unblock},
                                     {"events come", events_come},
                                     {"a look at the events", a_look_at_the_events}});
}

}  // namespace
}  // namespace heddle
