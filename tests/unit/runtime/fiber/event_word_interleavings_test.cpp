// Every interleaving of who waits for an event with who fulfils it, closes it and opens it again: of a wait
// and a fulfilment exactly one comes second, and who comes with the handle of an earlier life is refused.
#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "fiber/event_word.hpp"
#include "support/explore.hpp"

namespace heddle {
namespace {

using test::expect_every_schedule_ends;
using test::ExploredAtomic;
using test::Explorer;

struct Waiter {
  void* aligns = nullptr;
  int resumed = 0;
};
using Word = EventWord<Waiter, ExploredAtomic>;
using Wait = Word::Wait;

struct Shared {
  Word word;
  Word::Life life = word.open();
  Waiter waiters[2];
  Wait waits[2] = {};
  int fulfilled = 0, refused = 0;
  int open_lives = 1;  // how many there were so far
};

// As fulfill_continuation() does, except that it would end the program where it is refused.
void fulfill(Shared& s, Word::Life life) {
  Waiter* waiter = nullptr;
  if (!s.word.fulfill(life, &waiter)) {
    ++s.refused;
    return;
  }
  ++s.fulfilled;
  if (waiter != nullptr) ++waiter->resumed;
}

// As wait_for_continuation() does: look, wait, close.
void wait_and_close(Shared& s, Waiter& me) {
  const int before = me.resumed;
  if (!s.word.is_fulfilled()) {
    const Wait wait = s.word.begin_wait(me);
    ASSERT_NE(wait, Wait::kTaken);
    if (wait == Wait::kWaits) {
      Explorer::block([&me, before] { return me.resumed != before; });
      EXPECT_EQ(me.resumed, before + 1);
    } else {
      EXPECT_EQ(me.resumed, before);
    }
  }
  EXPECT_TRUE(s.word.is_fulfilled());
  EXPECT_EQ(s.word.waiter(), nullptr);
  s.word.close();
}

TEST(EventWordInterleavings, OfAWaitAndAFulfilmentOneComesSecond) {
  const auto result = Explorer::run([] {
    auto shared = std::make_shared<Shared>();
    Explorer::Scenario scenario;
    scenario.threads.emplace_back([=] { shared->waits[0] = shared->word.begin_wait(shared->waiters[0]); });
    scenario.threads.emplace_back([=] { fulfill(*shared, shared->life); });
    scenario.at_end = [=] {
      EXPECT_EQ(shared->fulfilled, 1);
      EXPECT_EQ(shared->waits[0] == Wait::kWaits ? 1 : 0, shared->waiters[0].resumed);
      EXPECT_TRUE(shared->waits[0] == Wait::kWaits || shared->waits[0] == Wait::kFulfilled);
      EXPECT_TRUE(shared->word.is_fulfilled());
      EXPECT_EQ(shared->word.waiter(), nullptr);
    };
    return scenario;
  });
  expect_every_schedule_ends(result);
  EXPECT_GE(result.schedules, 6u);
}

TEST(EventWordInterleavings, OfTwoFulfilmentsTheSecondIsRefused) {
  const auto result = Explorer::run([] {
    auto shared = std::make_shared<Shared>();
    Explorer::Scenario scenario;
    scenario.threads.emplace_back([=] { wait_and_close(*shared, shared->waiters[0]); });
    for (int i = 0; i < 2; ++i) scenario.threads.emplace_back([=] { fulfill(*shared, shared->life); });
    scenario.at_end = [=] {
      EXPECT_EQ(shared->fulfilled, 1);
      EXPECT_EQ(shared->refused, 1);
      EXPECT_FALSE(shared->word.is_open(shared->life));
    };
    return scenario;
  });
  expect_every_schedule_ends(result);
  EXPECT_GT(result.schedules, 100u);
}

TEST(EventWordInterleavings, OfTwoWhoWaitTheSecondIsTold) {
  const auto result = Explorer::run([] {
    auto shared = std::make_shared<Shared>();
    Explorer::Scenario scenario;
    for (int i = 0; i < 2; ++i)
      scenario.threads.emplace_back([=] { shared->waits[i] = shared->word.begin_wait(shared->waiters[i]); });
    scenario.threads.emplace_back([=] { fulfill(*shared, shared->life); });
    scenario.at_end = [=] {
      int waiting = 0;
      for (int i = 0; i < 2; ++i) {
        const bool waits = shared->waits[i] == Wait::kWaits;
        waiting += waits ? 1 : 0;
        EXPECT_EQ(shared->waiters[i].resumed, waits ? 1 : 0);
        if (shared->waits[i] == Wait::kTaken) {
          EXPECT_EQ(shared->waits[1 - i], Wait::kWaits);
        }
      }
      EXPECT_LE(waiting, 1);
    };
    return scenario;
  });
  expect_every_schedule_ends(result);
}

// Two lives of the same word. One fulfiller each comes in time; of the two that have the first life's handle
// one is refused, however late, and never takes the second life for the first.
TEST(EventWordInterleavings, WhoComesWithAnOldHandleIsRefused) {
  const auto result = Explorer::run(
      [] {
        auto shared = std::make_shared<Shared>();
        Explorer::Scenario scenario;
        scenario.threads.emplace_back([=] {
          Shared& s = *shared;
          wait_and_close(s, s.waiters[0]);
          const Word::Life second = s.word.open();
          EXPECT_NE(second, s.life);
          EXPECT_TRUE(s.word.is_open(second));
          EXPECT_FALSE(s.word.is_open(s.life));
          ++s.open_lives;
          wait_and_close(s, s.waiters[0]);
          EXPECT_FALSE(s.word.is_open(second));
        });
        for (int i = 0; i < 2; ++i) scenario.threads.emplace_back([=] { fulfill(*shared, shared->life); });
        scenario.threads.emplace_back([=] {
          Explorer::block([&] { return shared->open_lives == 2; });
          fulfill(*shared, static_cast<Word::Life>(shared->life + 1));
        });
        scenario.at_end = [=] {
          EXPECT_EQ(shared->fulfilled, 2);
          EXPECT_EQ(shared->refused, 1);
          EXPECT_LE(shared->waiters[0].resumed, 2);
        };
        return scenario;
      },
      3);  // five were tried by hand
  expect_every_schedule_ends(result);
  EXPECT_GT(result.schedules, 1000u);
}

TEST(EventWordInterleavings, WhoMeansAnotherLifeResumesNobody) {
  const auto result = Explorer::run([] {
    auto shared = std::make_shared<Shared>();
    Explorer::Scenario scenario;
    scenario.threads.emplace_back([=] {
      Waiter& me = shared->waiters[0];
      if (shared->word.begin_wait(me) == Wait::kWaits) Explorer::block([&me] { return me.resumed != 0; });
    });
    scenario.threads.emplace_back([=] { fulfill(*shared, static_cast<Word::Life>(shared->life + 1)); });
    return scenario;
  });
  EXPECT_TRUE(result.is_complete);
  EXPECT_EQ(result.deadlocks, result.schedules) << "an event was fulfilled that nobody meant";
}

TEST(EventWord, LivesComeAgainAfterAllOthers) {
  Word word;
  const Word::Life first = word.open();
  Word::Life life = first;
  for (int i = 0; i < 65536; ++i) {
    ASSERT_TRUE(word.is_open(life));
    ASSERT_FALSE(word.is_fulfilled());
    Waiter* waiter = nullptr;
    ASSERT_FALSE(word.fulfill(static_cast<Word::Life>(life - 1), &waiter));
    ASSERT_TRUE(word.fulfill(life, &waiter));
    ASSERT_FALSE(word.fulfill(life, &waiter));
    word.close();
    ASSERT_FALSE(word.fulfill(life, &waiter));
    life = word.open();
    ASSERT_EQ(life, word.life());
    ASSERT_EQ(life == first, i == 65535);
  }
}

}  // namespace
}  // namespace heddle
