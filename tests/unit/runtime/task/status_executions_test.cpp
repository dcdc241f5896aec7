// Every execution of the threads that have a hand in what becomes of a task, under the C++ memory model: of
// two that meet one comes second, and all that the other did is there.
#include "task/status.hpp"

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
using Status = TaskStatus<ExploredAtomic>;

constexpr int kCreator = 0;

struct Shared {
  std::unique_ptr<Status> status = std::make_unique<Status>();
  Parking<ExploredAtomic, test::ExploredSleep> parking{1};
  ExploredAtomic<int> resumed{0};
  ExploredData<int> body, event, predecessor;  // what each side did
  ExploredData<int> suspension;                // where the creator has left its thread
  int completed[2] = {};

  template <class IsOver>
  void sleep_until(IsOver&& is_over) {
    while (!is_over()) {
      parking.announce(kCreator);
      if (is_over() ? !parking.withdraw(kCreator) : parking.sleep(kCreator)) parking.end_search();
    }
  }
};

// The thread that comes second completes the task.
Explorer::Scenario the_body_and_the_event() {
  auto shared = std::make_shared<Shared>();
  Explorer::Scenario scenario;
  scenario.threads = {[=] {
                        shared->body.set(1);
                        if (!shared->status->end_body()) return;
                        Explorer::check(shared->event.get() == 1, "what was done before the event is there");
                        ++shared->completed[0];
                      },
                      [=] {
                        shared->event.set(1);
                        if (shared->status->fulfill() != Status::Fulfilled::kCompletes) return;
                        Explorer::check(shared->body.get() == 1, "what the body did is there");
                        ++shared->completed[1];
                      }};
  scenario.at_end = [=] {
    Explorer::check(shared->completed[0] + shared->completed[1] == 1, "one completes the task");
  };
  return scenario;
}

Explorer::Scenario a_look_at_the_event() {
  auto shared = std::make_shared<Shared>();
  Explorer::Scenario scenario;
  scenario.threads = {[=] {
                        if (shared->status->is_fulfilled())
                          Explorer::check(shared->event.get() == 1,
                                          "what was done before the event is there");
                      },
                      [=] {
                        shared->event.set(1);
                        shared->status->fulfill();
                      }};
  return scenario;
}

// The body asks for events outside OpenMP, and for none in the end, while its own event comes.
Explorer::Scenario events_outside() {
  auto shared = std::make_shared<Shared>();
  Explorer::Scenario scenario;
  scenario.threads = {[=] {
                        Status& status = *shared->status;
                        status.expect_events();
                        Explorer::check(status.has_events() && !status.creator_waits(), "it has events");
                        status.forget_events();
                        Explorer::check(!status.has_events(), "it has none");
                        status.end_body();
                      },
                      [=] { shared->status->fulfill(); }};
  scenario.at_end = [=] { Explorer::check(shared->status->is_fulfilled(), "its own event has come"); };
  return scenario;
}

Explorer::Scenario the_event_comes_before_the_task() {
  auto shared = std::make_shared<Shared>();
  shared->status->fulfill_early();
  Explorer::Scenario scenario;
  scenario.threads = {[=] { Explorer::check(shared->status->end_body(), "it is complete"); }};
  return scenario;
}

// The creator of an undeferred task waits on its thread for the event, and frees the task.
Explorer::Scenario the_creator_waits_for_the_event() {
  auto shared = std::make_shared<Shared>();
  shared->status->let_creator_wait();
  Explorer::Scenario scenario;
  scenario.threads = {[=] {
                        Shared& s = *shared;
                        if (!s.status->end_body()) s.sleep_until([&] { return s.status->is_fulfilled(); });
                        Explorer::check(s.event.get() == 1, "what was done before the event is there");
                        s.status.reset();
                      },
                      [=] {
                        shared->event.set(1);
                        const auto then = shared->status->fulfill();
                        Explorer::check(then == Status::Fulfilled::kWakesCreator, "the creator completes it");
                        shared->parking.wake(kCreator);
                      }};
  return scenario;
}

// The creator of an undeferred task waits for the task's predecessors: on its thread, or it has left that.
std::function<Explorer::Scenario()> the_predecessors_end(bool leaves) {
  return [=] {
    auto shared = std::make_shared<Shared>();
    Explorer::Scenario scenario;
    scenario.threads = {[=] {
                          Shared& s = *shared;
                          s.suspension.set(1);
                          if (!leaves)
                            s.sleep_until([&] { return s.status->is_released(); });
                          else if (!s.status->let_creator_leave())
                            s.resumed.await([](int resumed) { return resumed == 1; },
                                            std::memory_order_acquire);
                          Explorer::check(s.predecessor.get() == 1, "what the predecessors did is there");
                          s.status.reset();
                        },
                        [=] {
                          Shared& s = *shared;
                          s.predecessor.set(1);
                          if (s.status->release()) {
                            Explorer::check(s.suspension.get() == 1, "where the creator has left is there");
                            s.resumed.store(1, std::memory_order_release);
                          } else {
                            s.parking.wake(kCreator);
                          }
                        }};
    return scenario;
  };
}

// A thread starts a ready task by its handle, beside the one that finds it in a queue.
Explorer::Scenario a_handle() {
  auto shared = std::make_shared<Shared>();
  Explorer::Scenario scenario;
  scenario.threads = {[=] {
                        shared->predecessor.set(1);
                        shared->status->make_ready();
                        shared->resumed.store(1, std::memory_order_release);  // it is queued
                      },
                      [=] {
                        if (!shared->status->is_ready()) return;
                        Explorer::check(shared->predecessor.get() == 1, "what the predecessors did is there");
                        if (shared->status->claim()) ++shared->completed[0];
                      },
                      [=] {
                        if (shared->resumed.load(std::memory_order_acquire) == 0) return;
                        if (shared->status->claim()) ++shared->completed[1];
                      }};
  scenario.at_end = [=] {
    Explorer::check(shared->completed[0] + shared->completed[1] <= 1, "one starts the task");
    Explorer::check(shared->status->is_claimed() == (shared->completed[0] + shared->completed[1] == 1),
                    "it says so");
  };
  return scenario;
}

TEST(TaskStatusExecutions, EachOrderIsNeeded) {
  test::expect_each_order_is_needed({"task/status.hpp"},
                                    {{"the body and the event", the_body_and_the_event},
                                     {"a look at the event", a_look_at_the_event},
                                     {"the creator waits for the event", the_creator_waits_for_the_event},
                                     {"the creator waits for predecessors", the_predecessors_end(false)},
                                     {"the creator leaves for predecessors", the_predecessors_end(true)},
                                     {"a handle", a_handle},
                                     {"events outside", events_outside},
                                     {"the event comes before the task", the_event_comes_before_the_task}});
}

}  // namespace
}  // namespace heddle
