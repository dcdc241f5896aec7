// Every execution of threads that push what is to go on with the one that pops it, under the C++ memory
// model: nothing is lost or comes twice, what each has pushed comes in its order and with what it did before,
// and the owner that sleeps meanwhile is woken.
#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "fiber/event_word.hpp"
#include "fiber/resume_queue.hpp"
#include "support/executions.hpp"
#include "support/explored_futex.hpp"
#include "sync/parking.hpp"

namespace heddle {
namespace {

using test::ExploredAtomic;
using test::ExploredData;
using test::Explorer;

struct Node {
  Node* next = nullptr;
  int pusher = 0, number = 0;
  int popped = 0;
  ExploredData<int> prepared;  // by the pusher, for the owner
};

constexpr int kOwner = 0, kMostEach = 3;

struct Shared {
  ResumeQueue<Node, ExploredAtomic> queue;
  Parking<ExploredAtomic, test::ExploredSleep> parking{1};
  EventWord<Node, ExploredAtomic> event;
  Node nodes[3][kMostEach];
  std::vector<Node*> order;

  Shared() {
    for (int pusher = 0; pusher < 3; ++pusher)
      for (int i = 0; i < kMostEach; ++i) {
        nodes[pusher][i].pusher = pusher;
        nodes[pusher][i].number = i;
      }
  }

  void push(Node& node) {
    node.prepared.set(1);
    queue.push(node);
  }
  bool pop() {
    Node* const node = queue.pop();
    if (node == nullptr) return false;
    Explorer::check(node->popped++ == 0, "it comes once");
    if (node->pusher != kOwner) Explorer::check(node->prepared.get() == 1, "what its pusher did is there");
    order.push_back(node);
    return true;
  }
};

void expect_each_once_in_order(const Shared& s, std::size_t count) {
  Explorer::check(s.order.size() == count, "each comes");
  int next[3] = {0, 0, 0};
  for (const Node* const node : s.order)
    Explorer::check(node->number == next[node->pusher]++, "a pusher's come in its order");
}

// Threads push beside an owner that pops, pushes its own and looks whether there is anything.
std::function<Explorer::Scenario()> pushes(int pushers, int each, int own) {
  return [=] {
    auto shared = std::make_shared<Shared>();
    Explorer::Scenario scenario;
    for (int pusher = 1; pusher <= pushers; ++pusher)
      scenario.threads.emplace_back([=] {
        for (int i = 0; i < each; ++i) shared->push(shared->nodes[pusher][i]);
      });
    scenario.threads.emplace_back([=] {
      for (int i = 0; i < own; ++i) {
        shared->queue.push_own(shared->nodes[kOwner][i]);
        Explorer::check(!shared->queue.is_empty(), "its own is there");
        Explorer::check(shared->pop(), "its own is there");
      }
      for (int i = 0; i < pushers * each; ++i) {
        const bool was_empty = shared->queue.is_empty();
        const bool was_any = shared->pop();
        Explorer::check(was_empty || was_any, "what was there comes");
      }
    });
    scenario.at_end = [=] {
      while (shared->pop()) continue;
      Explorer::check(shared->queue.is_empty(), "nothing is left");
      expect_each_once_in_order(*shared, static_cast<std::size_t>(pushers * each + own));
    };
    return scenario;
  };
}

// What others have pushed comes behind what the owner had then.
Explorer::Scenario the_owners_own_come_first() {
  auto shared = std::make_shared<Shared>();
  auto has_pushed = std::make_shared<ExploredAtomic<int>>(0);
  Explorer::Scenario scenario;
  scenario.threads = {[=] {
                        shared->push(shared->nodes[1][0]);
                        has_pushed->store(1, std::memory_order_release);
                      },
                      [=] {
                        for (int i = 0; i < 2; ++i) shared->queue.push_own(shared->nodes[kOwner][i]);
                        for (int i = 0; i < 2; ++i) Explorer::check(shared->pop(), "its own is there");
                        Explorer::check(shared->order.back()->pusher == kOwner, "its own comes first");
                        has_pushed->await([](int pushed) { return pushed == 1; }, std::memory_order_acquire);
                        shared->queue.push_own_first(shared->nodes[kOwner][2]);
                        Explorer::check(shared->pop(), "its own is there");
                        Explorer::check(shared->order.back()->pusher == kOwner, "its own comes first");
                        Explorer::check(shared->pop(), "the other's is there");
                        Explorer::check(shared->order.back()->pusher == 1, "the other's comes last");
                      }};
  scenario.at_end = [=] { expect_each_once_in_order(*shared, 4); };
  return scenario;
}

// -- With sleep, as a thread does that has nothing else to do.

enum class Mistake { kNone, kSleepsWithoutALook, kPushesWithoutWaking, kWakesBeforeItPushes };

void pop_so_many(Shared& s, std::size_t count, Mistake mistake) {
  while (s.order.size() < count) {
    if (s.pop()) continue;
    s.parking.announce(kOwner);
    const bool goes_on = mistake != Mistake::kSleepsWithoutALook && !s.queue.is_empty();
    if (goes_on ? !s.parking.withdraw(kOwner) : s.parking.sleep(kOwner)) s.parking.end_search();
  }
}

void push_and_wake(Shared& s, Node& node, Mistake mistake) {
  if (mistake == Mistake::kWakesBeforeItPushes) s.parking.wake(kOwner);
  s.push(node);
  if (mistake == Mistake::kNone || mistake == Mistake::kSleepsWithoutALook) s.parking.wake(kOwner);
}

std::function<Explorer::Scenario()> sleeps(int pushers, int each, Mistake mistake = Mistake::kNone) {
  return [=] {
    auto shared = std::make_shared<Shared>();
    const auto count = static_cast<std::size_t>(pushers * each);
    Explorer::Scenario scenario;
    scenario.threads.emplace_back([=] { pop_so_many(*shared, count, mistake); });
    for (int pusher = 1; pusher <= pushers; ++pusher)
      scenario.threads.emplace_back([=] {
        for (int i = 0; i < each; ++i) push_and_wake(*shared, shared->nodes[pusher][i], mistake);
      });
    scenario.at_end = [=] { expect_each_once_in_order(*shared, count); };
    return scenario;
  };
}

// -- With events: the whole way of a task that waits twice for the same word, and of two that fulfil.

void wait_for_event(Shared& s) {
  Node& me = s.nodes[kOwner][0];
  if (!s.event.is_fulfilled() && s.event.begin_wait(me) == EventWord<Node, ExploredAtomic>::Wait::kWaits) {
    pop_so_many(s, s.order.size() + 1, Mistake::kNone);
    Explorer::check(s.order.back() == &me, "the waiter goes on");
    me.popped = 0;
  }
  Explorer::check(s.event.is_fulfilled(), "the event has come");
  s.event.close();
}

Explorer::Scenario fulfilments_resume_a_sleeper() {
  auto shared = std::make_shared<Shared>();
  auto opened = std::make_shared<ExploredAtomic<int>>(0);
  Explorer::Scenario scenario;
  scenario.threads.emplace_back([=] {
    for (int i = 0; i < 2; ++i) {
      shared->event.open();
      opened->store(i + 1, std::memory_order_release);  // as the program hands the handle on
      wait_for_event(*shared);
    }
  });
  for (int i = 0; i < 2; ++i)
    scenario.threads.emplace_back([=] {
      opened->await([i](int lives) { return lives > i; }, std::memory_order_acquire);
      Node* waiter = nullptr;
      const auto life = static_cast<std::uint16_t>(i);  // lives are numbered from 0
      Explorer::check(shared->event.fulfill(life, &waiter), "it comes in time");
      if (waiter != nullptr) push_and_wake(*shared, *waiter, Mistake::kNone);
    });
  scenario.at_end = [=] { Explorer::check(shared->queue.is_empty(), "nothing is left"); };
  return scenario;
}

TEST(ResumeQueueExecutions, EachOrderIsNeeded) {
  test::expect_each_order_is_needed({"fiber/resume_queue.hpp", "sync/mpsc_stack.hpp"},
                                    {{"a push of each of two", pushes(2, 1, 1)},
                                     {"two pushes of one", pushes(1, 2, 1)},
                                     {"the owner's own come first", the_owners_own_come_first},
                                     {"a sleeper is woken", sleeps(1, 1)}});
}

TEST(ResumeQueueExecutions, ASleeperIsWokenForEachOfSeveral) {
  test::expect_every_execution_is_right(Explorer::run(sleeps(1, 2)));
  test::expect_every_execution_is_right(Explorer::run(sleeps(2, 1)));
}

TEST(ResumeQueueExecutions, FulfilmentsResumeASleeper) {
  test::expect_every_execution_is_right(Explorer::run(fulfilments_resume_a_sleeper));
}

TEST(ResumeQueueExecutions, MistakesAreFound) {
  for (const Mistake mistake :
       {Mistake::kSleepsWithoutALook, Mistake::kPushesWithoutWaking, Mistake::kWakesBeforeItPushes})
    EXPECT_TRUE(Explorer::run(sleeps(1, 1, mistake)).has_failed()) << static_cast<int>(mistake);
}

}  // namespace
}  // namespace heddle
