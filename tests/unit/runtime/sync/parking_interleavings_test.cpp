// Every interleaving of "publish, then wake" with "announce, look, sleep", and with searching before: no
// wake-up is lost.
#include <gtest/gtest.h>

#include <memory>

#include "support/explore.hpp"
#include "sync/parking.hpp"

namespace heddle {
namespace {

using test::expect_every_schedule_ends;
using test::ExploredAtomic;
using test::Explorer;

struct ExploredSleep {
  static constexpr int kLooksBeforeWaking = 1;
  static void wait(const ExploredAtomic<std::uint32_t>& word, std::uint32_t expected) {
    Explorer::block([&word, expected] { return word.peek() != expected; });
  }
  static void wake(const ExploredAtomic<std::uint32_t>&) {}  // a blocked coroutine watches the word itself
};

using ExploredParking = Parking<ExploredAtomic, ExploredSleep>;

struct Shared {
  explicit Shared(int places) : parking(places) {}
  ExploredParking parking;
  ExploredAtomic<int> work{0};
  ExploredAtomic<int> is_open{0};
  int taken = 0;
};

bool take(Shared& s) {
  int available = s.work.load();
  while (available > 0)
    if (s.work.compare_exchange_strong(available, available - 1)) {
      ++s.taken;
      return true;
    }
  return false;
}

// What the waiting loop of a team does until it has one item.
void wait_for_one(Shared& s, int who, int places) {
  while (!take(s)) {
    s.parking.announce(who);
    const bool goes_on = s.work.load() > 0;
    if (goes_on ? !s.parking.withdraw(who) : s.parking.sleep(who)) {
      if (s.parking.end_search() && s.work.load() > 0) s.parking.wake_one(places);
    }
  }
}

enum class Waking { kAny, kSecondFirst };

Explorer::Result explore(int consumers, int preemptions, bool forgets_to_pass_on,
                         Waking waking = Waking::kAny) {
  return Explorer::run(
      [=] {
        auto shared = std::make_shared<Shared>(consumers);
        Explorer::Scenario scenario;
        for (int who = 0; who < consumers; ++who)
          scenario.threads.emplace_back([=] { wait_for_one(*shared, who, consumers); });
        scenario.threads.emplace_back([=] {
          for (int i = 0; i < consumers; ++i) {
            shared->work.fetch_add(1);
            if (forgets_to_pass_on && i == 0) continue;
            if (waking == Waking::kAny)
              shared->parking.wake_one(consumers);
            else
              shared->parking.wake_for_work(consumers, 1);
          }
        });
        scenario.at_end = [=] { EXPECT_EQ(shared->taken, consumers); };
        return scenario;
      },
      preemptions);
}

TEST(ParkingInterleavings, OneSleeperOneWaker) {
  const auto result = explore(1, 1 << 20, false);
  expect_every_schedule_ends(result);
}

TEST(ParkingInterleavings, TwoSleepersTwoItemsWithUpToThreePreemptions) {
  const auto result = explore(2, 3, false);
  expect_every_schedule_ends(result);
}

TEST(ParkingInterleavings, WhereOneIsPreferredTheOtherIsWokenToo) {
  const auto result = explore(2, 3, false, Waking::kSecondFirst);
  expect_every_schedule_ends(result);
}

// -- Searching: who searches comes for what was published meanwhile, or wakes another. One preemption more
// each was tried by hand.

enum class Leaving { kLooksForMore, kForgets };

// What the waiting loop of a team does, down to Searching, until it has one item.
void search_for_one(Shared& s, int who, int places, Leaving leaving) {
  bool searches = false, was_last = false;
  while (!take(s)) {
    if (!searches) {
      s.parking.begin_search();
      searches = true;
      continue;
    }
    was_last = s.parking.end_search();
    s.parking.announce(who);
    const bool goes_on = s.work.load() > 0;
    searches = goes_on ? !s.parking.withdraw(who) : s.parking.sleep(who);
    if (!goes_on) was_last = false;
  }
  if (searches) was_last = s.parking.end_search();
  if (was_last && leaving == Leaving::kLooksForMore && s.work.load() > 0) s.parking.wake_for_work(places);
}

// What a thread does that sleeps between two regions: it is woken for the region, before it looks for work.
void enter(Shared& s, int who, int places, Leaving leaving) {
  s.parking.announce(who);
  const bool is_open = s.is_open.load() != 0;
  if (is_open ? !s.parking.withdraw(who) : s.parking.sleep(who))
    if (s.parking.end_search() && leaving == Leaving::kLooksForMore && s.work.load() > 0)
      s.parking.wake_for_work(places);
}

// The last consumer enters while the others are there already.
Explorer::Result explore_entering(int preemptions, Leaving leaving) {
  return Explorer::run(
      [=] {
        auto shared = std::make_shared<Shared>(2);
        Explorer::Scenario scenario;
        scenario.threads.emplace_back([=] { search_for_one(*shared, 0, 2, Leaving::kLooksForMore); });
        scenario.threads.emplace_back([=] {
          while (shared->is_open.load() == 0) enter(*shared, 1, 2, leaving);
          search_for_one(*shared, 1, 2, Leaving::kLooksForMore);
        });
        scenario.threads.emplace_back([=] {
          shared->is_open.store(1);
          shared->parking.wake(1);
          for (int i = 0; i < 2; ++i) {
            shared->work.fetch_add(1);
            shared->parking.wake_for_work(2, [&] { return shared->work.load() == 0; });
          }
        });
        scenario.at_end = [=] { EXPECT_EQ(shared->taken, 2); };
        return scenario;
      },
      preemptions);
}

TEST(ParkingInterleavings, WhoEntersARegionPassesOnWhatItKeptFromOthers) {
  expect_every_schedule_ends(explore_entering(3, Leaving::kLooksForMore));
}

TEST(ParkingInterleavings, WhoEntersAndForgetsIsFound) {
  EXPECT_GT(explore_entering(3, Leaving::kForgets).deadlocks, 0u);
}

Explorer::Result explore_searches(int producers, int consumers, int preemptions, Leaving leaving) {
  return Explorer::run(
      [=] {
        auto shared = std::make_shared<Shared>(consumers);
        Explorer::Scenario scenario;
        for (int who = 0; who < consumers; ++who)
          scenario.threads.emplace_back([=] { search_for_one(*shared, who, consumers, leaving); });
        for (int producer = 0; producer < producers; ++producer)
          scenario.threads.emplace_back([=] {
            for (int i = producer; i < consumers; i += producers) {
              shared->work.fetch_add(1);
              shared->parking.wake_for_work(consumers, [&] { return shared->work.load() == 0; });
            }
          });
        scenario.at_end = [=] { EXPECT_EQ(shared->taken, consumers); };
        return scenario;
      },
      preemptions);
}

TEST(ParkingInterleavings, TwoSearchForWhatOnePublishes) {
  expect_every_schedule_ends(explore_searches(1, 2, 3, Leaving::kLooksForMore));
}

TEST(ParkingInterleavings, TwoSearchForWhatTwoPublish) {
  expect_every_schedule_ends(explore_searches(2, 2, 2, Leaving::kLooksForMore));
}

TEST(ParkingInterleavings, ThreeSearchForWhatOnePublishes) {
  expect_every_schedule_ends(explore_searches(1, 3, 2, Leaving::kLooksForMore));
}

TEST(ParkingInterleavings, WhoDoesNotLookForMoreIsFound) {
  EXPECT_GT(explore_searches(1, 2, 2, Leaving::kForgets).deadlocks, 0u);
}

TEST(ParkingInterleavings, AMissingWakeUpIsFound) {
  const auto result = explore(1, 1 << 20, true);
  EXPECT_GT(result.deadlocks, 0u) << "the exploration finds nothing, so it proves nothing";
}

}  // namespace
}  // namespace heddle
