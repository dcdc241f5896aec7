// Every execution of "make true, then announce" with "prepare, look, wait", under the C++ memory model: no
// announcement is lost, a wake-up for one key reaches each thread that waits with it, and what was done
// before is there.
#include <gtest/gtest.h>

#include <memory>

#include "support/executions.hpp"
#include "support/explored_futex.hpp"
#include "sync/event_count.hpp"

namespace heddle {
namespace {

using test::ExploredAtomic;
using test::ExploredData;
using test::Explorer;

struct ExploredSleepers {
  static void wait(const ExploredAtomic<std::uint32_t>& word, std::uint32_t expected, std::uint64_t key) {
    test::ExploredFutexes::wait(word, expected, key);
  }
  static void wake(const ExploredAtomic<std::uint32_t>& word, std::uint64_t key) {
    test::ExploredFutexes::wake(word, Explorer::kMostThreads, key);
  }
};

struct Shared {
  Shared() { turn.reset(); }
  EventCount<ExploredAtomic, ExploredSleepers> events;
  Awaited<std::uint64_t, ExploredAtomic> turn;
  test::ExploredFutexes futexes;
  ExploredData<int> passed;
  ExploredData<int> posted_by[2];
};

// What wait_at_gate() does once it has stopped spinning.
void wait_for_turn(Shared& s, std::uint64_t mine, std::uint64_t key) {
  while (s.turn.seen() != mine) {
    const std::uint32_t ticket = s.events.prepare();
    if (s.turn.seen() == mine) {
      s.events.cancel();
      return;
    }
    s.events.wait(ticket, key);
  }
}

void pass_turn(Shared& s, std::uint64_t next, bool announces) {
  s.passed.set(s.passed.get() + 1);
  s.turn.set(next);
  if (announces) s.events.announce(next);
}

// Turns 0 .. threads - 1 go from thread to thread; each waits for its own.
std::function<Explorer::Scenario()> scenario(int threads, bool first_announces = true) {
  return [=] {
    auto shared = std::make_shared<Shared>();
    Explorer::Scenario scenario;
    for (int i = threads - 1; i >= 0; --i)
      scenario.threads.emplace_back([=] {
        const auto mine = static_cast<std::uint64_t>(i);
        wait_for_turn(*shared, mine, mine);
        pass_turn(*shared, mine + 1, first_announces || i != 0);
      });
    scenario.at_end = [=] {
      Explorer::check(shared->passed.get() == threads, "each thread has had its turn");
    };
    return scenario;
  };
}

// Two threads post an iteration each, for one that waits for both.
Explorer::Scenario iterations_are_posted() {
  auto shared = std::make_shared<Shared>();
  Explorer::Scenario scenario;
  for (int i = 0; i < 2; ++i)
    scenario.threads.emplace_back([=] {
      const auto number = static_cast<std::uint64_t>(i);
      shared->posted_by[i].set(1);
      shared->turn.add_bits(std::uint64_t{1} << number);
      shared->events.announce(0);
    });
  scenario.threads.emplace_back([=] {
    wait_for_turn(*shared, 3, 0);
    for (const ExploredData<int>& posted : shared->posted_by)
      Explorer::check(posted.get() == 1, "what was done before is there");
  });
  return scenario;
}

TEST(EventCountExecutions, EachOrderIsNeeded) {
  test::expect_each_order_is_needed(
      {"sync/event_count.hpp"},
      {{"a turn is passed", scenario(2)}, {"iterations are posted", iterations_are_posted}});
}

TEST(EventCountExecutions, TwoTurnsArePassed) {
  test::expect_every_execution_is_right(Explorer::run(scenario(3)));
}

TEST(EventCountExecutions, AMissingAnnouncementIsFound) {
  EXPECT_TRUE(Explorer::run(scenario(2, false)).has_failed());
}

}  // namespace
}  // namespace heddle
