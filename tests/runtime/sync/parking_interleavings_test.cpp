// Every interleaving of "publish, then wake" with "announce, look, sleep": no wake-up is lost.
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
    if (s.work.load() > 0) {
      if (!s.parking.withdraw(who)) s.parking.wake_one(places);
      continue;
    }
    s.parking.sleep(who);
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
              shared->parking.wake_one(consumers, 1);
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

TEST(ParkingInterleavings, TwoSleepersTwoItemsWithUpToFourPreemptions) {
  const auto result = explore(2, 4, false);
  expect_every_schedule_ends(result);
}

TEST(ParkingInterleavings, WhereOneIsPreferredTheOtherIsWokenToo) {
  const auto result = explore(2, 4, false, Waking::kSecondFirst);
  expect_every_schedule_ends(result);
}

TEST(ParkingInterleavings, AMissingWakeUpIsFound) {
  const auto result = explore(1, 1 << 20, true);
  EXPECT_GT(result.deadlocks, 0u) << "the exploration finds nothing, so it proves nothing";
}

}  // namespace
}  // namespace heddle
