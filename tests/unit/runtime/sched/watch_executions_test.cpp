// Every execution of threads that are about to sleep with the end of one poller and the coming of another,
// under the C++ memory model: the second is called, whatever threads still sleep for the first.
#include <gtest/gtest.h>

#include <memory>

#include "sched/pollers.hpp"
#include "support/executions.hpp"

namespace heddle {
namespace {

using test::ExploredAtomic;
using test::Explorer;

constexpr auto kRelaxed = std::memory_order_relaxed;

struct Shared {
  Watch<ExploredAtomic> watch;
  WatchRound<ExploredAtomic> round;
  ExploredAtomic<int> pollers{1};
  ExploredAtomic<int> is_second{0};  // the poller that is there
  ExploredAtomic<int> is_called{0};  // the second, which ends all sleeps

  void sleep_for_good() const {
    is_called.await([](int called) { return called != 0; });
  }
};

// As suspend/polling.cpp has it, until the thread is woken or has looked after the poller that was there.
void sleep_once(Shared& s) {
  if (s.pollers.load(kRelaxed) == 0) return s.sleep_for_good();
  const std::uint32_t round = s.round.number();
  if (!s.watch.begin(round)) return s.sleep_for_good();
  if (s.pollers.load(kRelaxed) == 0)
    s.sleep_for_good();  // nothing is ever due
  else if (s.is_second.load(kRelaxed) != 0)
    s.is_called.store(1, kRelaxed);
  s.watch.end(round);
}

enum class Rounds { kTold, kIgnored };

// Sleepers that come at any time, and one that comes after the second poller did.
std::function<Explorer::Scenario()> scenario(int sleepers, Rounds rounds) {
  return [=] {
    auto shared = std::make_shared<Shared>();
    Explorer::Scenario scenario;
    for (int i = 0; i < sleepers; ++i) scenario.threads.emplace_back([=] { sleep_once(*shared); });
    scenario.threads.emplace_back([=] {
      shared->pollers.store(0, kRelaxed);
      shared->is_second.store(1, kRelaxed);
      shared->pollers.store(1, kRelaxed);
      if (rounds == Rounds::kTold) shared->round.begin();
      while (shared->is_called.load(kRelaxed) == 0) sleep_once(*shared);
    });
    scenario.at_end = [=] { Explorer::check(shared->is_called.peek() == 1, "the second is called"); };
    return scenario;
  };
}

TEST(WatchExecutions, EachOrderIsNeeded) {
  test::expect_each_order_is_needed({"sched/pollers.hpp"},
                                    {{"a sleeper and one that comes later", scenario(1, Rounds::kTold)},
                                     {"two sleepers and one that comes later", scenario(2, Rounds::kTold)}});
}

TEST(WatchExecutions, WithoutRoundsAllSleepForGood) {
  EXPECT_TRUE(Explorer::run(scenario(1, Rounds::kIgnored)).has_failed());
}

}  // namespace
}  // namespace heddle
