// Every interleaving of callers and who removes the poller: one call at a time, one an interval, and none
// afterwards.
#include "sched/pollers.hpp"

#include <gtest/gtest.h>

#include <memory>

#include "support/explore.hpp"

namespace heddle {
namespace {

using test::expect_every_schedule_ends;
using test::ExploredAtomic;
using test::Explorer;

struct Shared {
  PollerSlot<ExploredAtomic> slot;
  ExploredAtomic<int> running{0};
  int calls = 0;
  bool is_removed = false;

  static void poll(void* argument) {
    auto& shared = *static_cast<Shared*>(argument);
    EXPECT_EQ(shared.running.fetch_add(1), 0);
    EXPECT_FALSE(shared.is_removed);
    ++shared.calls;
    shared.running.fetch_add(-1);
  }
};

std::int64_t still() {
  return 0;
}

// Callers that look `looks` times each, beside one that removes the poller, and then adds another if asked.
Explorer::Result explore(int callers, int looks, bool adds_another, int preemptions) {
  const auto make = [=] {
    auto shared = std::make_shared<Shared>();
    shared->slot.add({&Shared::poll, shared.get(), 0}, 0);
    Explorer::Scenario scenario;
    for (int i = 0; i < callers; ++i) {
      scenario.threads.emplace_back([=] {
        for (int look = 0; look < looks; ++look) shared->slot.call_if_due(1, &still);
      });
    }
    scenario.threads.emplace_back([=] {
      const auto peek = [](const auto& word) { return word.peek(); };
      shared->slot.remove(false, [&](auto&& is_over) { Explorer::block([&] { return is_over(peek); }); });
      shared->is_removed = true;
      if (!adds_another) return;
      EXPECT_TRUE(shared->slot.is_free());
      shared->is_removed = false;
      shared->slot.add({&Shared::poll, shared.get(), 0}, 0);
    });
    scenario.at_end = [=] {
      EXPECT_LE(shared->calls, callers * looks);
      EXPECT_EQ(shared->slot.is_free(), !adds_another);
    };
    return scenario;
  };
  return Explorer::run(make, preemptions);
}

constexpr int kAll = 1 << 20;

TEST(PollerSlotInterleavings, TwoCallersAndARemovalWithUpToSixPreemptions) {
  const auto result = explore(2, 1, false, 6);
  expect_every_schedule_ends(result);
  EXPECT_GT(result.schedules, 100u);
}

TEST(PollerSlotInterleavings, ACallerThatComesAgainAfterAnotherPollerCame) {
  const auto result = explore(1, 2, true, kAll);
  expect_every_schedule_ends(result);
}

TEST(PollerSlotInterleavings, OneCallAnInterval) {
  const auto result = Explorer::run([] {
    auto shared = std::make_shared<Shared>();
    shared->slot.add({&Shared::poll, shared.get(), 5}, -5);
    Explorer::Scenario scenario;
    for (int i = 0; i < 2; ++i) scenario.threads.emplace_back([=] { shared->slot.call_if_due(1, &still); });
    scenario.at_end = [=] { EXPECT_EQ(shared->calls, 1); };
    return scenario;
  });
  expect_every_schedule_ends(result);
}

}  // namespace
}  // namespace heddle
