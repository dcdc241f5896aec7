// Every execution of encounters that meet at a graph's slot with the one that resets it and the one that
// evicts it, under the C++ memory model: one has it at a time, and knows what the one before did.
#include "replay/graph_claim.hpp"

#include <gtest/gtest.h>

#include <memory>

#include "support/executions.hpp"

namespace heddle {
namespace {

using test::ExploredAtomic;
using test::ExploredData;
using test::Explorer;
using Claim = GraphClaim<ExploredAtomic>;
using State = Claim::State;

struct Shared {
  Claim claim;
  ExploredData<int> record;
  int executed[2] = {}, plain[2] = {};

  void encounter(int me) {
    if (claim.claim() != Claim::Answer::kClaimed) {
      ++plain[me];
      return;
    }
    record.set(record.get() + 1);
    ++executed[me];
    claim.give_back(State::kRecorded);
  }
};

Explorer::Scenario two_encounters() {
  auto shared = std::make_shared<Shared>();
  Explorer::Scenario scenario;
  for (int me = 0; me < 2; ++me)
    scenario.threads.emplace_back([=] {
      shared->encounter(me);
      if (me == 0) shared->encounter(me);
    });
  scenario.at_end = [=] {
    const Shared& s = *shared;
    Explorer::check(s.record.get() == s.executed[0] + s.executed[1], "one has it at a time");
    Explorer::check(s.executed[0] + s.executed[1] >= 1, "the first has it");
  };
  return scenario;
}

// Another thread looks whether it may read the record, for a log, when none is executed any more.
Explorer::Scenario a_look_for_the_log() {
  auto shared = std::make_shared<Shared>();
  shared->claim.give_back(State::kBusy);
  Explorer::Scenario scenario;
  scenario.threads = {[=] {
                        shared->record.set(1);
                        shared->claim.give_back(State::kRecorded);
                      },
                      [=] {
                        if (!shared->claim.is_busy())
                          Explorer::check(shared->record.get() == 1, "the record is there");
                      }};
  return scenario;
}

// A refused slot is claimed again once it was reset.
Explorer::Scenario a_reset() {
  auto shared = std::make_shared<Shared>();
  shared->claim.give_back(State::kRefused);
  Explorer::Scenario scenario;
  scenario.threads = {
      [=] { shared->claim.reset(); },
      [=] {
        const auto answer = shared->claim.claim();
        if (answer == Claim::Answer::kClaimed)
          Explorer::check(shared->claim.take_reset() && !shared->claim.has_reset(), "it was reset");
        else
          Explorer::check(answer == Claim::Answer::kRefused, "it is refused until it was reset");
      }};
  return scenario;
}

// The table's lock orders pins with the look whether there are any.
Explorer::Scenario an_eviction() {
  auto shared = std::make_shared<Shared>();
  shared->claim.pin();
  Explorer::Scenario scenario;
  scenario.threads = {[=] {
                        shared->encounter(0);
                        shared->claim.unpin();
                      },
                      [=] {
                        if (!shared->claim.is_pinned()) shared->record.set(-1);
                      }};
  return scenario;
}

TEST(GraphClaimExecutions, EachOrderIsNeeded) {
  test::expect_each_order_is_needed({"replay/graph_claim.hpp"}, {{"two encounters", two_encounters},
                                                                 {"a look for the log", a_look_for_the_log},
                                                                 {"a reset", a_reset},
                                                                 {"an eviction", an_eviction}});
}

}  // namespace
}  // namespace heddle
