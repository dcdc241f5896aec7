// Every execution of a primary thread that opens regions, and dismisses its workers in the end, with a worker
// that sleeps between them, under the C++ memory model.
#include "team/region_opening.hpp"

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
using Opening = RegionOpening<ExploredAtomic, int, 1>;

struct Team {
  Team() {
    opening.restart(0);
    still_attached.forget();
  }
  Opening opening{2};
  ThreadsInside<ExploredAtomic> still_attached;
  Parking<ExploredAtomic, test::ExploredSleep> parking{2};
  ExploredData<int> needed;  // by the region, written before it is opened
};

constexpr int kWorker = 1;

void open_region(Team& team, int size) {
  team.opening.open(size, size);
  team.parking.wake(kWorker);
}

// As serve() does, except that it sleeps at once.
Opening::Seen next_opening(Team& team, Opening::Seen seen) {
  while (!team.opening.is_new_to(kWorker, seen))
    sleep_until_opening(
        team, kWorker, seen, [&](int number) { return team.parking.sleep(number); }, [](int) {});
  return team.opening.seen(kWorker);
}

Explorer::Scenario a_region_is_opened() {
  auto team = std::make_shared<Team>();
  Explorer::Scenario scenario;
  scenario.threads = {[=] {
                        team->needed.set(1);
                        open_region(*team, 2);
                      },
                      [=] {
                        const Opening::Seen seen = next_opening(*team, 0);
                        Explorer::check(Opening::size_of(seen) == 2, "it has its part");
                        Explorer::check(team->needed.get() == 1, "what the region needs is there");
                        Explorer::check(team->opening.start(kWorker) == 2, "and what it needs to begin");
                      }};
  return scenario;
}

// A worker has no part in the first region, and comes for the second.
Explorer::Scenario a_region_is_opened_for_others() {
  auto team = std::make_shared<Team>();
  Explorer::Scenario scenario;
  scenario.threads = {[=] {
                        team->opening.open(1, 1);
                        team->needed.set(1);
                        open_region(*team, 2);
                      },
                      [=] {
                        Opening::Seen seen = next_opening(*team, 0);
                        if (Opening::size_of(seen) == 1) seen = next_opening(*team, seen);
                        Explorer::check(team->needed.get() == 1, "what the region needs is there");
                      }};
  return scenario;
}

// A worker that is late takes a task of a region, and looks whether it takes part in that.
Explorer::Scenario a_task_of_a_region() {
  struct Shared : Team {
    ExploredAtomic<int> queued{0};
  };
  auto team = std::make_shared<Shared>();
  Explorer::Scenario scenario;
  scenario.threads = {[=] {
                        team->opening.open(2, 2);
                        team->queued.store(1, std::memory_order_release);
                      },
                      [=] {
                        if (team->queued.load(std::memory_order_acquire) == 1)
                          Explorer::check(team->opening.last() != 0, "the region is seen");
                      }};
  return scenario;
}

Explorer::Scenario workers_are_dismissed() {
  auto team = std::make_shared<Team>();
  Explorer::Scenario scenario;
  scenario.threads = {[=] {
                        team->still_attached.enter(1);
                        team->opening.dismiss();
                        team->parking.wake(kWorker);
                        // What it waits for it may see at once, or later.
                        if (!team->still_attached.are_gone()) return;
                        team->needed.set(2);  // the team is gone
                      },
                      [=] {
                        const Opening::Seen seen = next_opening(*team, 0);
                        Explorer::check(Opening::size_of(seen) == 0, "it is dismissed");
                        team->needed.set(1);
                        team->still_attached.leave();
                      }};
  return scenario;
}

// A thread of another team completes the last task, and touches the team until it leaves.
Explorer::Scenario a_visitor() {
  struct Shared : Team {
    ThreadsInside<ExploredAtomic> visitors;
    ExploredAtomic<int> is_complete{0};
  };
  auto team = std::make_shared<Shared>();
  Explorer::Scenario scenario;
  scenario.threads = {[=] {
                        team->is_complete.await([](int is) { return is == 1; }, std::memory_order_acquire);
                        if (team->visitors.are_gone()) team->needed.set(2);  // the team is gone
                      },
                      [=] {
                        team->visitors.enter();
                        team->is_complete.store(1, std::memory_order_release);
                        team->needed.set(1);
                        team->visitors.leave();
                      }};
  return scenario;
}

// Member 1 sleeps in a region of two, and a worker without a part in it learns nothing of it: it has seen the
// one before, of one, and is woken for that, or to watch. A waker relies on the worker, and the worker lets
// member 1 come for the work.
Explorer::Scenario a_worker_without_a_part_is_relied_on() {
  constexpr int kWithoutPart = 2;
  struct Shared {
    Shared() { opening.restart(0); }
    Opening opening{3};
    Parking<ExploredAtomic, test::ExploredSleep> parking{3};
    ExploredAtomic<int> work{0};
  };
  auto shared = std::make_shared<Shared>();
  shared->opening.open(3, 3);
  const Opening::Seen seen = shared->opening.last();
  shared->parking.announce(1);
  Explorer::Scenario scenario;
  scenario.threads = {[=] {
                        Shared& s = *shared;
                        s.opening.open(1, 1);
                        s.opening.open(2, 2);
                        s.parking.wake(kWithoutPart);
                        s.work.store(1, std::memory_order_release);
                        s.parking.wake_for_work(2);
                      },
                      [=] {
                        Shared& s = *shared;
                        if (s.parking.sleep(1)) s.parking.end_search();
                        Explorer::check(s.work.load(std::memory_order_relaxed) == 1, "it comes for the work");
                      },
                      [=] {
                        Shared& s = *shared;
                        sleep_until_opening(
                            s, kWithoutPart, seen, [&](int number) { return s.parking.sleep(number); },
                            [&](int members) {
                              s.parking.look_for_more(members, [&] {
                                return members > 0 && s.work.load(std::memory_order_seq_cst) == 1;
                              });
                            });
                      }};
  return scenario;
}

TEST(RegionOpeningExecutions, EachOrderIsNeeded) {
  test::expect_each_order_is_needed({"team/region_opening.hpp"},
                                    {{"a region is opened", a_region_is_opened},
                                     {"a region is opened for others", a_region_is_opened_for_others},
                                     {"a task of a region", a_task_of_a_region},
                                     {"a worker without a part", a_worker_without_a_part_is_relied_on},
                                     {"workers are dismissed", workers_are_dismissed},
                                     {"a visitor", a_visitor}});
}

}  // namespace
}  // namespace heddle
