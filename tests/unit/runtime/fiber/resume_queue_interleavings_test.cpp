// Every interleaving of threads that push who is to go on with the one that pops: nothing is lost or comes
// twice, what each has pushed comes in its order, and the owner that sleeps meanwhile is woken.
#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "fiber/event_word.hpp"
#include "fiber/resume_queue.hpp"
#include "support/explore.hpp"
#include "sync/parking.hpp"

namespace heddle {
namespace {

using test::expect_every_schedule_ends;
using test::ExploredAtomic;
using test::Explorer;

struct Node {
  Node* next = nullptr;
  int pusher = 0, number = 0;
  int popped = 0;
};

struct ExploredSleep {
  [[maybe_unused]] static constexpr int kLooksBeforeWaking = 1;
  static void wait(const ExploredAtomic<std::uint32_t>& word, std::uint32_t expected) {
    Explorer::block([&word, expected] { return word.peek() != expected; });
  }
  static void wake(const ExploredAtomic<std::uint32_t>&) {}  // a blocked coroutine watches the word itself
};

constexpr int kOwner = 0, kMostEach = 3;

struct Shared {
  ResumeQueue<Node, ExploredAtomic> queue;
  Parking<ExploredAtomic, ExploredSleep> parking{1};
  EventWord<Node, ExploredAtomic> event;
  Node nodes[3][kMostEach];
  std::vector<const Node*> order;

  Shared() {
    for (int pusher = 0; pusher < 3; ++pusher)
      for (int i = 0; i < kMostEach; ++i) nodes[pusher][i] = {nullptr, pusher, i, 0};
  }

  bool pop() {
    Node* const node = queue.pop();
    if (node == nullptr) return false;
    EXPECT_EQ(node->popped++, 0);
    order.push_back(node);
    return true;
  }
};

void expect_each_once_in_order(const Shared& s, std::size_t count) {
  EXPECT_EQ(s.order.size(), count);
  int next[3] = {0, 0, 0};
  for (const Node* const node : s.order) EXPECT_EQ(node->number, next[node->pusher]++);
}

// Two threads push beside an owner that pops, pushes its own and looks whether there is anything.
Explorer::Result explore(int each, int own, int preemptions) {
  return Explorer::run(
      [=] {
        auto shared = std::make_shared<Shared>();
        Explorer::Scenario scenario;
        for (int pusher = 1; pusher <= 2; ++pusher)
          scenario.threads.emplace_back([=] {
            for (int i = 0; i < each; ++i) shared->queue.push(shared->nodes[pusher][i]);
          });
        scenario.threads.emplace_back([=] {
          for (int i = 0; i < own; ++i) {
            shared->queue.push_own(shared->nodes[kOwner][i]);
            EXPECT_FALSE(shared->queue.is_empty());
            EXPECT_TRUE(shared->pop());
          }
          for (int i = 0; i < 2 * each; ++i) {
            const bool was_empty = shared->queue.is_empty();
            const bool was_any = shared->pop();
            EXPECT_TRUE(was_empty || was_any);
          }
        });
        scenario.at_end = [=] {
          while (shared->pop()) continue;
          EXPECT_TRUE(shared->queue.is_empty());
          expect_each_once_in_order(*shared, static_cast<std::size_t>(2 * each + own));
        };
        return scenario;
      },
      preemptions);
}

TEST(ResumeQueueInterleavings, TwoThreadsPushOneEachWhileTheOwnerPops) {
  const auto result = explore(1, 1, 1 << 20);
  expect_every_schedule_ends(result);
  EXPECT_GT(result.schedules, 1000u);
}

TEST(ResumeQueueInterleavings, TwoThreadsPushSeveralEachWhileTheOwnerPops) {
  expect_every_schedule_ends(explore(2, 2, 4));
  expect_every_schedule_ends(explore(3, 1, 3));
}

// What others have pushed comes behind what the owner had then.
TEST(ResumeQueueInterleavings, TheOwnersOwnComeFirst) {
  const auto result = Explorer::run([] {
    auto shared = std::make_shared<Shared>();
    Explorer::Scenario scenario;
    auto has_pushed = std::make_shared<bool>(false);
    scenario.threads.emplace_back([=] {
      shared->queue.push(shared->nodes[1][0]);
      *has_pushed = true;
    });
    scenario.threads.emplace_back([=] {
      for (int i = 0; i < 2; ++i) shared->queue.push_own(shared->nodes[kOwner][i]);
      for (int i = 0; i < 2; ++i) EXPECT_TRUE(shared->pop());
      EXPECT_EQ(shared->order.back()->pusher, kOwner);
      Explorer::block([=] { return *has_pushed; });
      shared->queue.push_own_first(shared->nodes[kOwner][2]);
      EXPECT_TRUE(shared->pop());
      EXPECT_EQ(shared->order.back()->pusher, kOwner);
      EXPECT_TRUE(shared->pop());
      EXPECT_EQ(shared->order.back()->pusher, 1);
    });
    scenario.at_end = [=] { expect_each_once_in_order(*shared, 4); };
    return scenario;
  });
  expect_every_schedule_ends(result);
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
  s.queue.push(node);
  if (mistake == Mistake::kNone || mistake == Mistake::kSleepsWithoutALook) s.parking.wake(kOwner);
}

Explorer::Result explore_sleep(int pushers, int each, int preemptions, Mistake mistake = Mistake::kNone) {
  return Explorer::run(
      [=] {
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
      },
      preemptions);
}

TEST(ResumeQueueInterleavings, ASleeperIsWokenForOne) {
  expect_every_schedule_ends(explore_sleep(1, 1, 1 << 20));
}

TEST(ResumeQueueInterleavings, ASleeperIsWokenForEachOfSeveral) {
  expect_every_schedule_ends(explore_sleep(1, 3, 3));
  expect_every_schedule_ends(explore_sleep(2, 1, 3));
  expect_every_schedule_ends(explore_sleep(2, 2, 3));
}

TEST(ResumeQueueInterleavings, MistakesAreFound) {
  for (const Mistake mistake :
       {Mistake::kSleepsWithoutALook, Mistake::kPushesWithoutWaking, Mistake::kWakesBeforeItPushes})
    EXPECT_GT(explore_sleep(1, 1, 1 << 20, mistake).deadlocks, 0u) << static_cast<int>(mistake);
}

// -- With events: the whole way of a task that waits twice for the same word, and of two who fulfil.

void wait_for_event(Shared& s) {
  Node& me = s.nodes[kOwner][0];
  if (!s.event.is_fulfilled() && s.event.begin_wait(me) == EventWord<Node, ExploredAtomic>::Wait::kWaits) {
    pop_so_many(s, s.order.size() + 1, Mistake::kNone);
    EXPECT_EQ(s.order.back(), &me);
    me.popped = 0;
  }
  EXPECT_TRUE(s.event.is_fulfilled());
  s.event.close();
}

TEST(ResumeQueueInterleavings, WhoFulfilsResumesWhoSleeps) {
  const auto result = Explorer::run(
      [] {
        auto shared = std::make_shared<Shared>();
        auto lives = std::make_shared<std::vector<std::uint16_t>>();
        auto fulfilled = std::make_shared<int>(0);
        Explorer::Scenario scenario;
        scenario.threads.emplace_back([=] {
          for (int i = 0; i < 2; ++i) {
            lives->push_back(shared->event.open());
            wait_for_event(*shared);
          }
        });
        for (std::size_t i = 0; i < 2; ++i)
          scenario.threads.emplace_back([=] {
            Explorer::block([=] { return lives->size() > i; });
            Node* waiter = nullptr;
            EXPECT_TRUE(shared->event.fulfill((*lives)[i], &waiter));
            ++*fulfilled;
            if (waiter != nullptr) push_and_wake(*shared, *waiter, Mistake::kNone);
          });
        scenario.at_end = [=] {
          EXPECT_EQ(*fulfilled, 2);
          EXPECT_TRUE(shared->queue.is_empty());
        };
        return scenario;
      },
      3);  // four were tried by hand
  expect_every_schedule_ends(result);
  EXPECT_GT(result.schedules, 1000u);
}

}  // namespace
}  // namespace heddle
