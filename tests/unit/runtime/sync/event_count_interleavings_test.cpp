// Every interleaving of "make true, then announce" with "prepare, look, wait": no announcement is lost, and a
// wake-up for one key reaches whoever waits with it.
#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "support/explore.hpp"
#include "sync/event_count.hpp"

namespace heddle {
namespace {

using test::expect_every_schedule_ends;
using test::ExploredAtomic;
using test::Explorer;

// The kernel's futex: it compares and falls asleep in one step; asleep, only a wake-up for the key helps.
struct Sleeper {
  std::uint64_t key;
  bool is_woken = false;
};
std::vector<std::shared_ptr<Sleeper>> g_asleep;

struct ExploredSleepers {
  static void wait(const ExploredAtomic<std::uint32_t>& word, std::uint32_t expected, std::uint64_t key) {
    Explorer::yield();
    if (word.peek() != expected) return;
    auto me = std::make_shared<Sleeper>(Sleeper{key});
    g_asleep.push_back(me);
    Explorer::block([me] { return me->is_woken; });
  }
  static void wake(const ExploredAtomic<std::uint32_t>&, std::uint64_t key) {
    Explorer::yield();
    for (const auto& sleeper : g_asleep)
      if (sleeper->key == key) sleeper->is_woken = true;
  }
};

struct Shared {
  EventCount<ExploredAtomic, ExploredSleepers> events;
  ExploredAtomic<std::uint64_t> turn{0};
  int passed = 0;
};

// What wait_at_gate() does once it has stopped spinning.
void wait_for_turn(Shared& s, std::uint64_t mine) {
  while (s.turn.load() != mine) {
    const std::uint32_t ticket = s.events.prepare();
    if (s.turn.load() == mine) {
      s.events.cancel();
      return;
    }
    s.events.wait(ticket, mine);
  }
}

void pass_turn(Shared& s, std::uint64_t next, bool announces) {
  ++s.passed;
  s.turn.store(next);
  if (announces) s.events.announce(next);
}

// Turns 0 .. threads - 1 go from thread to thread; each waits for its own.
Explorer::Result explore(int threads, int preemptions, bool first_announces) {
  return Explorer::run(
      [=] {
        g_asleep.clear();
        auto shared = std::make_shared<Shared>();
        Explorer::Scenario scenario;
        for (int i = threads - 1; i >= 0; --i)
          scenario.threads.emplace_back([=] {
            const auto mine = static_cast<std::uint64_t>(i);
            wait_for_turn(*shared, mine);
            pass_turn(*shared, mine + 1, first_announces || i != 0);
          });
        scenario.at_end = [=] { EXPECT_EQ(shared->passed, threads); };
        return scenario;
      },
      preemptions);
}

TEST(EventCountInterleavings, OneTurnIsPassedUnderEverySchedule) {
  const auto result = explore(2, 1 << 20, true);
  expect_every_schedule_ends(result);
}

TEST(EventCountInterleavings, TwoTurnsArePassedWithUpToFourPreemptions) {
  const auto result = explore(3, 4, true);
  expect_every_schedule_ends(result);
}

TEST(EventCountInterleavings, AMissingAnnouncementIsFound) {
  const auto result = explore(2, 1 << 20, false);
  EXPECT_GT(result.deadlocks, 0u) << "the exploration finds nothing, so it proves nothing";
}

}  // namespace
}  // namespace heddle
