// Every execution of a thread that waits for an event with those that fulfil it, under the C++ memory model:
// of a wait and a fulfilment exactly one comes second, and knows what the first did before; whoever comes
// with the handle of an earlier life is refused.
#include <gtest/gtest.h>

#include <memory>

#include "fiber/event_word.hpp"
#include "support/executions.hpp"

namespace heddle {
namespace {

using test::ExploredAtomic;
using test::ExploredData;
using test::Explorer;

struct Waiter {
  ExploredData<int> prepared;   // written before it waits, read by the thread that resumes it
  ExploredAtomic<int> resumed;  // how often: stands in for the resume queue
};
using Word = EventWord<Waiter, ExploredAtomic>;
using Wait = Word::Wait;

struct Shared {
  Word word;
  Word::Life life = word.open();
  bool is_of_this_life() const { return word.life() == life; }
  ExploredData<int> result;      // written before the event is fulfilled, read after it was waited for
  ExploredAtomic<int> lives{1};  // that were opened so far
  Waiter waiters[2];
  Wait waits[2] = {};
  int fulfilled = 0, refused = 0;
};

// As fulfill_continuation() does, except that it would end the program where it is refused.
void fulfill(Shared& s, Word::Life life) {
  Waiter* waiter = nullptr;
  if (!s.word.fulfill(life, &waiter)) {
    ++s.refused;
    return;
  }
  ++s.fulfilled;
  if (waiter == nullptr) return;
  Explorer::check(waiter->prepared.get() > 0, "what the waiter did before is there");
  waiter->resumed.fetch_add(1, std::memory_order_release);
}

// As wait_for_continuation() does: look, wait, close. time: how often this waiter has waited, with this one.
void wait_and_close(Shared& s, Waiter& me, int time = 1) {
  me.prepared.set(time);
  Explorer::check(time > 1 || s.is_of_this_life(), "it is of this life until it is closed");
  if (!s.word.is_fulfilled()) {
    const Wait wait = s.word.begin_wait(me);
    Explorer::check(wait != Wait::kTaken, "nobody else waits");
    if (wait == Wait::kWaits)
      me.resumed.await([](int resumed) { return resumed > 0; }, std::memory_order_acquire);
  }
  Explorer::check(s.word.is_fulfilled() && s.word.waiter() == nullptr, "the event has come");
  me.resumed.store(0, std::memory_order_relaxed);
  s.word.close();
}

Explorer::Scenario a_wait_and_a_fulfilment() {
  auto shared = std::make_shared<Shared>();
  Explorer::Scenario scenario;
  scenario.threads = {
      [=] {
        Waiter& me = shared->waiters[0];
        me.prepared.set(1);
        shared->waits[0] = shared->word.begin_wait(me);
        if (shared->waits[0] == Wait::kWaits)
          me.resumed.await([](int resumed) { return resumed == 1; }, std::memory_order_acquire);
        Explorer::check(shared->result.get() == 1, "what was done before the fulfilment is there");
      },
      [=] {
        shared->result.set(1);
        fulfill(*shared, shared->life);
      }};
  scenario.at_end = [=] {
    const Shared& s = *shared;
    Explorer::check(s.fulfilled == 1, "it is fulfilled");
    Explorer::check(s.waits[0] == Wait::kWaits || s.waits[0] == Wait::kFulfilled, "one comes second");
    Explorer::check((s.waits[0] == Wait::kWaits) == (s.waiters[0].resumed.peek() == 1),
                    "and it alone learns it");
    Explorer::check(s.word.is_fulfilled() && s.word.waiter() == nullptr, "nobody waits any more");
  };
  return scenario;
}

Explorer::Scenario a_look_and_a_fulfilment() {
  auto shared = std::make_shared<Shared>();
  Explorer::Scenario scenario;
  scenario.threads = {[=] {
                        if (shared->word.is_fulfilled())
                          Explorer::check(shared->result.get() == 1,
                                          "what was done before the fulfilment is there");
                      },
                      [=] {
                        shared->result.set(1);
                        fulfill(*shared, shared->life);
                      }};
  return scenario;
}

Explorer::Scenario a_report_of_the_waiter() {
  auto shared = std::make_shared<Shared>();
  Explorer::Scenario scenario;
  scenario.threads = {[=] {
                        shared->waiters[0].prepared.set(1);
                        shared->word.begin_wait(shared->waiters[0]);
                      },
                      [=] {
                        if (const Waiter* const waiter = shared->word.waiter())
                          Explorer::check(waiter->prepared.get() == 1, "what the waiter did before is there");
                      }};
  return scenario;
}

Explorer::Scenario two_fulfilments() {
  auto shared = std::make_shared<Shared>();
  Explorer::Scenario scenario;
  scenario.threads.emplace_back([=] { wait_and_close(*shared, shared->waiters[0]); });
  for (int i = 0; i < 2; ++i) scenario.threads.emplace_back([=] { fulfill(*shared, shared->life); });
  scenario.at_end = [=] {
    Explorer::check(shared->fulfilled == 1 && shared->refused == 1, "the second is refused");
    Explorer::check(!shared->word.is_open(shared->life), "it is closed");
  };
  return scenario;
}

Explorer::Scenario two_waits() {
  auto shared = std::make_shared<Shared>();
  Explorer::Scenario scenario;
  for (int i = 0; i < 2; ++i)
    scenario.threads.emplace_back([=] {
      shared->waiters[i].prepared.set(1);
      shared->waits[i] = shared->word.begin_wait(shared->waiters[i]);
    });
  scenario.threads.emplace_back([=] { fulfill(*shared, shared->life); });
  scenario.at_end = [=] {
    int waiting = 0;
    for (int i = 0; i < 2; ++i) {
      const bool waits = shared->waits[i] == Wait::kWaits;
      waiting += waits ? 1 : 0;
      Explorer::check(shared->waiters[i].resumed.peek() == (waits ? 1 : 0), "only a waiter is resumed");
      Explorer::check(shared->waits[i] != Wait::kTaken || shared->waits[1 - i] == Wait::kWaits,
                      "only the second is told that another waits");
    }
    Explorer::check(waiting <= 1, "at most one waits");
  };
  return scenario;
}

// Two lives of one word, and a thread that fulfils each in time; of the two that have the first life's handle
// one is refused, however late it comes.
Explorer::Scenario an_old_handle() {
  auto shared = std::make_shared<Shared>();
  Explorer::Scenario scenario;
  scenario.threads.emplace_back([=] {
    Shared& s = *shared;
    wait_and_close(s, s.waiters[0]);
    const Word::Life second = s.word.open();
    Explorer::check(second != s.life && s.word.is_open(second) && !s.word.is_open(s.life), "lives differ");
    s.lives.store(2, std::memory_order_release);  // as the program hands the new handle on
    wait_and_close(s, s.waiters[0], 2);
    Explorer::check(!s.word.is_open(second), "it is closed");
  });
  for (int i = 0; i < 2; ++i) scenario.threads.emplace_back([=] { fulfill(*shared, shared->life); });
  scenario.threads.emplace_back([=] {
    shared->lives.await([](int lives) { return lives == 2; }, std::memory_order_acquire);
    fulfill(*shared, static_cast<Word::Life>(shared->life + 1));
  });
  scenario.at_end = [=] {
    Explorer::check(shared->fulfilled == 2 && shared->refused == 1, "one is refused");
  };
  return scenario;
}

TEST(EventWordExecutions, EachOrderIsNeeded) {
  test::expect_each_order_is_needed({"fiber/event_word.hpp"},
                                    {{"a wait and a fulfilment", a_wait_and_a_fulfilment},
                                     {"a look and a fulfilment", a_look_and_a_fulfilment},
                                     {"a report of the waiter", a_report_of_the_waiter},
                                     {"two fulfilments", two_fulfilments},
                                     {"two waits", two_waits},
                                     {"an old handle", an_old_handle}});
}

TEST(EventWordExecutions, AnotherLifesHandleResumesNobody) {
  const auto result = Explorer::run([] {
    auto shared = std::make_shared<Shared>();
    Explorer::Scenario scenario;
    scenario.threads = {[=] { wait_and_close(*shared, shared->waiters[0]); },
                        [=] { fulfill(*shared, static_cast<Word::Life>(shared->life + 1)); }};
    return scenario;
  });
  EXPECT_NE(result.failure.find("a thread waits for ever"), std::string::npos) << result.failure;
}

TEST(EventWord, LivesComeAgainAfterAllOthers) {
  using Word = EventWord<int*>;
  Word word;
  const Word::Life first = word.open();
  Word::Life life = first;
  for (int i = 0; i < 65536; ++i) {
    ASSERT_TRUE(word.is_open(life));
    ASSERT_FALSE(word.is_fulfilled());
    int** waiter = nullptr;
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
