// Every execution of a thread that waits for a place with those that give it one, under the C++ memory model:
// it gets each place, with what was done before, and sleeps for ever before none.
#include "team/assignment.hpp"

#include <gtest/gtest.h>

#include <memory>

#include "support/executions.hpp"
#include "support/explored_futex.hpp"

namespace heddle {
namespace {

using test::ExploredAtomic;
using test::ExploredData;
using test::Explorer;

struct Place {
  ExploredData<int> made{0};
};

struct Shared {
  Assignment<Place, ExploredAtomic, test::ExploredSleep> assignment;
  Place places[2];
  ExploredAtomic<int> idle{0};  // how often the thread has become idle again
  int taken = 0;

  void take() {
    const Place* const place = assignment.take([] { return false; });
    Explorer::check(place->made.get() == 1, "the place is as it was given");
    ++taken;
    idle.store(taken, std::memory_order_release);
  }
  void give(int number) {
    places[number].made.set(1);
    assignment.give(&places[number]);
  }
};

Explorer::Scenario one_place() {
  auto shared = std::make_shared<Shared>();
  Explorer::Scenario scenario;
  scenario.threads = {[=] { shared->take(); }, [=] { shared->give(0); }};
  scenario.at_end = [=] { Explorer::check(shared->taken == 1, "it is taken"); };
  return scenario;
}

// The second thread gives it one when it is idle again.
Explorer::Scenario two_places() {
  auto shared = std::make_shared<Shared>();
  Explorer::Scenario scenario;
  scenario.threads = {[=] {
                        for (int i = 0; i < 2; ++i) shared->take();
                      },
                      [=] { shared->give(0); },
                      [=] {
                        shared->idle.await([](int times) { return times == 1; }, std::memory_order_acquire);
                        shared->give(1);
                      }};
  scenario.at_end = [=] { Explorer::check(shared->taken == 2, "both are taken"); };
  return scenario;
}

// A thread that is made for a place finds it.
Explorer::Scenario a_new_thread() {
  auto shared = std::make_shared<Shared>();
  shared->places[0].made.set(1);
  shared->assignment.prepare(&shared->places[0]);
  Explorer::Scenario scenario;
  scenario.threads = {[=] { shared->take(); }};
  return scenario;
}

TEST(AssignmentExecutions, EachOrderIsNeeded) {
  test::expect_each_order_is_needed(
      {"team/assignment.hpp"},
      {{"one place", one_place}, {"two places", two_places}, {"a new thread", a_new_thread}});
}

}  // namespace
}  // namespace heddle
