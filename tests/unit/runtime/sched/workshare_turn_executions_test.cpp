// Every execution of a team's members that meet at a slot of the ring of workshares, under the C++ memory
// model: the first sets it up for all, the last disposes of it, and the slot's next turn begins behind both.
#include <gtest/gtest.h>

#include <memory>

#include "sched/workshare.hpp"
#include "support/executions.hpp"

namespace heddle {
namespace {

using test::ExploredAtomic;
using test::ExploredData;
using test::Explorer;

constexpr int kMost = 3;

struct Shared {
  WorkshareTurn<ExploredAtomic> turn;
  ExploredData<int> made;         // by the first, for all
  ExploredData<int> used[kMost];  // by each member, before it leaves
  int times_set_up[kMost] = {}, times_disposed[kMost] = {};

  void enter(int me, std::uint64_t number) {
    turn.enter(
        [&] {
          Explorer::check(made.get() == -static_cast<int>(number), "the turn before is over");
          made.set(static_cast<int>(number) + 1);
          ++times_set_up[me];
        },
        test::kAwaitOn);
    Explorer::check(made.get() == static_cast<int>(number) + 1, "what the first has made is there");
    used[me].set(1);
  }
  void leave(int me, int size, std::uint64_t number) {
    turn.leave(size, [&] {
      for (int other = 0; other < size; ++other) {
        Explorer::check(used[other].get() == 1, "nobody uses it any more");
        used[other].set(0);
      }
      made.set(-static_cast<int>(number) - WorkshareTurn<>::kRing);
      ++times_disposed[me];
    });
  }
};

std::function<Explorer::Scenario()> one_turn(int size) {
  return [=] {
    auto shared = std::make_shared<Shared>();
    shared->turn.restart(0);
    Explorer::Scenario scenario;
    for (int me = 0; me < size; ++me)
      scenario.threads.emplace_back([=] {
        shared->enter(me, 0);
        shared->leave(me, size, 0);
      });
    scenario.at_end = [=] {
      int set_up = 0, disposed = 0;
      for (int me = 0; me < size; ++me) {
        set_up += shared->times_set_up[me];
        disposed += shared->times_disposed[me];
      }
      Explorer::check(set_up == 1 && disposed == 1, "it is set up once, and disposed of once");
      Explorer::check(shared->turn.serves(WorkshareTurn<>::kRing), "it serves the next turn");
    };
    return scenario;
  };
}

// A member that is kRing constructs ahead comes to the slot's next turn, if that has begun.
Explorer::Scenario the_next_turn() {
  auto shared = std::make_shared<Shared>();
  Explorer::Scenario scenario;
  for (int me = 0; me < 2; ++me)
    scenario.threads.emplace_back([=] {
      constexpr std::uint64_t kNext = WorkshareTurn<>::kRing;
      shared->enter(me, 0);
      shared->leave(me, 2, 0);
      if (shared->turn.serves(kNext)) shared->enter(me, kNext);
    });
  return scenario;
}

TEST(WorkshareTurnExecutions, EachOrderIsNeeded) {
  test::expect_each_order_is_needed(
      {"sched/workshare.hpp"},
      {{"two members", one_turn(2)}, {"three members", one_turn(3)}, {"the next turn", the_next_turn}},
      {{"WorkshareTurn::enter: change acquire",
        "the exchange that fails needs it, and GCC 12 wants one that succeeds to be as strong"}});
}

}  // namespace
}  // namespace heddle
