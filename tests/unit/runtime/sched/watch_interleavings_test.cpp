// Every interleaving of threads that are about to sleep with the end of one poller and the coming of another:
// the second is called, whoever still sleeps for the first.
#include <gtest/gtest.h>

#include <memory>

#include "sched/pollers.hpp"
#include "support/explore.hpp"

namespace heddle {
namespace {

using test::expect_every_schedule_ends;
using test::ExploredAtomic;
using test::Explorer;

struct Shared {
  Watch<ExploredAtomic> watch;
  ExploredAtomic<std::uint32_t> round{1};
  ExploredAtomic<int> pollers{1};
  ExploredAtomic<int> is_second{0};  // the poller that is there
  ExploredAtomic<int> is_called{0};  // the second, which ends all sleeps

  static void sleep_for_good(const std::shared_ptr<Shared>& shared) {
    Explorer::block([=] { return shared->is_called.peek() != 0; });
  }
};

// As suspend/polling.cpp has it, until the thread is woken or has looked after the poller that was there.
void sleep_once(const std::shared_ptr<Shared>& shared) {
  if (shared->pollers.load() == 0) return Shared::sleep_for_good(shared);
  const std::uint32_t round = shared->round.load();
  if (!shared->watch.begin(round)) return Shared::sleep_for_good(shared);
  if (shared->pollers.load() == 0)
    Shared::sleep_for_good(shared);  // nothing is ever due
  else if (shared->is_second.load() != 0)
    shared->is_called.store(1);
  shared->watch.end(round);
}

enum class Rounds { kTold, kIgnored };

// Sleepers that come at any time, and one that comes after the second poller did.
Explorer::Result explore(int sleepers, Rounds rounds, int preemptions = 1 << 20) {
  return Explorer::run(
      [=] {
        auto shared = std::make_shared<Shared>();
        Explorer::Scenario scenario;
        for (int i = 0; i < sleepers; ++i) scenario.threads.emplace_back([=] { sleep_once(shared); });
        scenario.threads.emplace_back([=] {
          shared->pollers.store(0);
          shared->is_second.store(1);
          shared->pollers.store(1);
          if (rounds == Rounds::kTold) shared->round.fetch_add(1);
          while (shared->is_called.load() == 0) sleep_once(shared);
        });
        scenario.at_end = [=] { EXPECT_EQ(shared->is_called.peek(), 1); };
        return scenario;
      },
      preemptions);
}

TEST(WatchInterleavings, ASleeperAndOneThatComesLater) {
  const auto result = explore(1, Rounds::kTold);
  expect_every_schedule_ends(result);
  EXPECT_GT(result.schedules, 50u);
}

TEST(WatchInterleavings, TwoSleepersAndOneThatComesLaterWithUpToFourPreemptions) {
  const auto result = explore(2, Rounds::kTold, 4);
  expect_every_schedule_ends(result);
}

TEST(WatchInterleavings, WithoutRoundsAllSleepForGood) {
  EXPECT_GT(explore(1, Rounds::kIgnored).deadlocks, 0u);
}

}  // namespace
}  // namespace heddle
