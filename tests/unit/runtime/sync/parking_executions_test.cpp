// Every execution of "publish, then wake" with "announce, look, sleep", and with searching before, under the
// C++ memory model: no wake-up is lost, and what was done before it is there.
#include <gtest/gtest.h>

#include <memory>

#include "support/executions.hpp"
#include "support/explored_futex.hpp"
#include "sync/parking.hpp"

namespace heddle {
namespace {

using test::ExploredAtomic;
using test::ExploredData;
using test::Explorer;

// Work comes with the weakest orders that hand it on: it is for parking to order the rest. A look behind
// end_search() is sequentially consistent, as Parking wants it.
struct Shared {
  explicit Shared(int places) : parking(places) {}
  Parking<ExploredAtomic, test::ExploredSleep> parking;
  ExploredAtomic<int> work{0};
  ExploredAtomic<int> is_open{0};
  ExploredData<int> result;
  int taken = 0;

  bool has_work() const { return work.load(std::memory_order_relaxed) > 0; }
  bool has_more() const { return work.load(std::memory_order_seq_cst) > 0; }
  void publish() { work.fetch_add(1, std::memory_order_release); }
  bool take() {
    int available = work.load(std::memory_order_relaxed);
    while (available > 0)
      if (work.compare_exchange_strong(available, available - 1, std::memory_order_acquire,
                                       std::memory_order_relaxed)) {
        ++taken;
        return true;
      }
    return false;
  }
};

// -- Sleep, and one wake-up for each item.

// A thread that was woken, and does not search for work, lets another.
void pass_on(Shared& s, int places) {
  if (s.parking.end_search()) s.parking.look_for_more(places, [&] { return s.has_more(); });
}

// What the waiting loop of a team does until it has one item.
void wait_for_one(Shared& s, int who, int places) {
  while (!s.take()) {
    s.parking.announce(who);
    const bool goes_on = s.has_work();
    if (goes_on ? !s.parking.withdraw(who) : s.parking.sleep(who)) pass_on(s, places);
  }
}

enum class Waking { kAny, kSecondFirst, kForgotten };

void publish_and_wake(Shared& s, int items, int places, Waking waking) {
  for (int i = 0; i < items; ++i) {
    s.publish();
    if (waking == Waking::kAny) s.parking.wake_one(places);
    if (waking == Waking::kSecondFirst) s.parking.wake_for_work(places, 1);
  }
}

// One thread, which takes so many items one after the other.
std::function<Explorer::Scenario()> sleeps(int items, Waking waking) {
  return [=] {
    auto shared = std::make_shared<Shared>(1);
    Explorer::Scenario scenario;
    scenario.threads = {[=] {
                          for (int i = 0; i < items; ++i) wait_for_one(*shared, 0, 1);
                        },
                        [=] { publish_and_wake(*shared, items, 1, waking); }};
    scenario.at_end = [=] { Explorer::check(shared->taken == items, "each item is taken"); };
    return scenario;
  };
}

// Two threads have announced themselves, and take an item each.
std::function<Explorer::Scenario()> two_sleep(Waking waking) {
  return [=] {
    auto shared = std::make_shared<Shared>(2);
    for (int who = 0; who < 2; ++who) shared->parking.announce(who);
    Explorer::Scenario scenario;
    for (int who = 0; who < 2; ++who)
      scenario.threads.emplace_back([=] {
        if (shared->parking.sleep(who)) pass_on(*shared, 2);
        wait_for_one(*shared, who, 2);
      });
    scenario.threads.emplace_back([=] { publish_and_wake(*shared, 2, 2, waking); });
    scenario.at_end = [=] { Explorer::check(shared->taken == 2, "each has had an item"); };
    return scenario;
  };
}

// A thread that sleeps for some time, and looks for one item again and again.
Explorer::Scenario a_short_sleep() {
  auto shared = std::make_shared<Shared>(1);
  Explorer::Scenario scenario;
  scenario.threads = {[=] {
                        Shared& s = *shared;
                        s.parking.announce(0);
                        const bool goes_on = s.has_work();
                        if (goes_on ? !s.parking.withdraw(0) : s.parking.sleep_for(0, 1)) pass_on(s, 1);
                        wait_for_one(s, 0, 1);
                      },
                      [=] { publish_and_wake(*shared, 1, 1, Waking::kAny); }};
  scenario.at_end = [=] { Explorer::check(shared->taken == 1, "the item is taken"); };
  return scenario;
}

// The wake-up alone hands on what was done before it.
Explorer::Scenario a_wake_up_orders() {
  auto shared = std::make_shared<Shared>(1);
  Explorer::Scenario scenario;
  scenario.threads = {[=] {
                        Shared& s = *shared;
                        s.parking.announce(0);
                        if (s.is_open.load(std::memory_order_relaxed) != 0)
                          return (void)s.parking.withdraw(0);
                        s.parking.sleep(0);
                        Explorer::check(s.result.get() == 1, "what was done before the wake-up is there");
                      },
                      [=] {
                        shared->result.set(1);
                        shared->is_open.store(1, std::memory_order_relaxed);
                        shared->parking.wake(0);
                      }};
  return scenario;
}

// -- Searching: a thread that searches comes for what was published meanwhile, or wakes another.

enum class Leaving { kLooksForMore, kForgets };

// What the waiting loop of a team does, down to Searching, until it has one item.
void search_for_one(Shared& s, int who, int places, Leaving leaving, bool searches = false) {
  bool was_last = false;
  while (!s.take()) {
    if (!searches) {
      s.parking.begin_search();
      searches = true;
      continue;
    }
    was_last = s.parking.end_search();
    s.parking.announce(who);
    const bool goes_on = s.has_work();
    searches = goes_on ? !s.parking.withdraw(who) : s.parking.sleep(who);
    if (!goes_on) was_last = false;
  }
  if (searches) was_last = s.parking.end_search();
  if (was_last && leaving == Leaving::kLooksForMore)
    s.parking.look_for_more(places, [&] { return s.has_more(); });
}

// A thread that was woken for its region ceases to search before it looks for work.
void leave_search(Shared& s, int places, Leaving leaving) {
  if (s.parking.end_search() && leaving == Leaving::kLooksForMore)
    s.parking.look_for_more(places, [&] { return s.has_more(); });
}

// A member that sleeps between two regions is woken for work, and then for its region; another sleeps in the
// region.
std::function<Explorer::Scenario()> enters(Leaving leaving) {
  return [=] {
    auto shared = std::make_shared<Shared>(2);
    for (int who = 0; who < 2; ++who) shared->parking.announce(who);
    Explorer::Scenario scenario;
    scenario.threads.emplace_back([=] {
      const bool searches = shared->parking.sleep(0);
      search_for_one(*shared, 0, 2, Leaving::kLooksForMore, searches);
    });
    scenario.threads.emplace_back([=] {
      if (shared->parking.sleep(1)) leave_search(*shared, 2, leaving);
    });
    scenario.threads.emplace_back([=] {
      shared->parking.wake(1);
      shared->publish();
      shared->parking.wake_for_work(2, [&] { return !shared->has_work(); });
    });
    scenario.at_end = [=] { Explorer::check(shared->taken == 1, "the item is taken"); };
    return scenario;
  };
}

// One searches from the beginning on, and another may sleep, while items are published. The searcher finds
// one.
std::function<Explorer::Scenario()> searches(bool other_sleeps, Leaving leaving = Leaving::kLooksForMore) {
  return [=] {
    const int consumers = other_sleeps ? 2 : 1;
    auto shared = std::make_shared<Shared>(2);
    if (other_sleeps) {
      shared->parking.announce(1);
      shared->parking.begin_search();
      shared->publish();
    }
    Explorer::Scenario scenario;
    scenario.threads.emplace_back([=] {
      if (!other_sleeps) return search_for_one(*shared, 0, 2, leaving);
      Explorer::check(shared->take(), "it finds one");
      leave_search(*shared, 2, leaving);
    });
    scenario.threads.emplace_back([=] {
      shared->publish();
      shared->parking.wake_for_work(2, [&] { return !shared->has_work(); });
    });
    if (other_sleeps)
      scenario.threads.emplace_back([=] {
        const bool searches = shared->parking.sleep(1);
        search_for_one(*shared, 1, 2, leaving, searches);
      });
    scenario.at_end = [=] { Explorer::check(shared->taken == consumers, "each item is taken"); };
    return scenario;
  };
}

// One ends its search while another falls asleep, and a third publishes.
Explorer::Scenario a_search_ends() {
  auto shared = std::make_shared<Shared>(2);
  shared->parking.begin_search();
  Explorer::Scenario scenario;
  scenario.threads = {[=] { leave_search(*shared, 2, Leaving::kLooksForMore); },
                      [=] {
                        Shared& s = *shared;
                        s.parking.announce(1);
                        if (s.has_work() ? !s.parking.withdraw(1) : s.parking.sleep(1))
                          s.parking.end_search();
                        Explorer::check(s.take(), "it comes for the item");
                      },
                      [=] {
                        shared->publish();
                        shared->parking.wake_for_work(2, [&] { return !shared->has_work(); });
                      }};
  return scenario;
}

TEST(ParkingExecutions, EachOrderIsNeeded) {
  test::expect_each_order_is_needed({"sync/parking.hpp"},
                                    {{"a sleeper and a waker", sleeps(1, Waking::kAny)},
                                     {"a sleeper is woken twice", sleeps(2, Waking::kAny)},
                                     {"a wake-up orders", a_wake_up_orders},
                                     {"a search and a waker", searches(false)},
                                     {"a thread enters", enters(Leaving::kLooksForMore)},
                                     {"a search while another sleeps", searches(true)},
                                     {"a search ends", a_search_ends},
                                     {"a short sleep", a_short_sleep}});
}

TEST(ParkingExecutions, TwoSleepersHaveAnItemEach) {
  test::expect_every_execution_is_right(Explorer::run(two_sleep(Waking::kAny)));
}

TEST(ParkingExecutions, WhereOneIsPreferredTheOtherIsWokenToo) {
  test::expect_every_execution_is_right(Explorer::run(two_sleep(Waking::kSecondFirst)));
}

TEST(ParkingExecutions, MistakesAreFound) {
  EXPECT_TRUE(Explorer::run(sleeps(1, Waking::kForgotten)).has_failed());
  EXPECT_TRUE(Explorer::run(enters(Leaving::kForgets)).has_failed());
  EXPECT_TRUE(Explorer::run(searches(true, Leaving::kForgets)).has_failed());
}

}  // namespace
}  // namespace heddle
