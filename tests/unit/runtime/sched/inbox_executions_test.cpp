// Every execution of threads that post to an inbox with those that empty it, that look at it before they
// sleep and when they have searched, under the C++ memory model: each node is taken once, as it was posted.
#include "sched/inbox.hpp"

#include <gtest/gtest.h>

#include <memory>

#include "support/executions.hpp"
#include "support/explored_futex.hpp"
#include "sync/parking.hpp"

namespace heddle {
namespace {

using test::ExploredAtomic;
using test::ExploredData;
using test::Explorer;

constexpr std::uint32_t kMost = 2;

struct Node {
  ExploredData<Node*> next = nullptr;
  ExploredData<int> data;  // by the poster, for the taker
  int taken = 0;
};

struct Shared {
  explicit Shared(int places) : parking(places) {}
  Inbox<Node, ExploredAtomic> inbox;
  Parking<ExploredAtomic, test::ExploredSleep> parking;
  Node nodes[3];

  void post(int number) {
    nodes[number].data = number + 1;
    inbox.post(nodes[number], kMost);
  }
  bool take() {
    Node* newest = inbox.take_all();
    const bool was_any = newest != nullptr;
    for (; newest != nullptr; newest = newest->next) {
      Explorer::check(newest->data == static_cast<int>(newest - nodes) + 1,
                      "what was written before is seen");
      ++newest->taken;
    }
    return was_any;
  }
  void check_end(int posted) {
    take();
    for (int number = 0; number < posted; ++number)
      Explorer::check(nodes[number].taken == 1, "each is taken once");
  }
};

// Two threads post, and two others empty it meanwhile: its owner and a thief.
Explorer::Scenario two_of_each() {
  auto shared = std::make_shared<Shared>(1);
  Explorer::Scenario scenario;
  scenario.threads = {[=] { shared->post(0); }, [=] { shared->post(1); }, [=] { shared->take(); },
                      [=] { shared->take(); }};
  scenario.at_end = [=] { shared->check_end(2); };
  return scenario;
}

// A thread falls asleep while one comes.
Explorer::Scenario a_sleeper() {
  auto shared = std::make_shared<Shared>(1);
  Explorer::Scenario scenario;
  scenario.threads = {[=] {
                        while (!shared->take()) {
                          shared->parking.announce(0);
                          const bool is_empty = shared->inbox.looks_empty();
                          if (is_empty ? shared->parking.sleep(0) : !shared->parking.withdraw(0))
                            shared->parking.end_search();
                        }
                      },
                      [=] {
                        shared->post(0);
                        shared->parking.wake_for_work(1);
                      }};
  scenario.at_end = [=] { shared->check_end(1); };
  return scenario;
}

// A thread ends its search while one comes, and another sleeps.
Explorer::Scenario a_searcher() {
  auto shared = std::make_shared<Shared>(2);
  shared->parking.announce(1);
  shared->parking.begin_search();
  Explorer::Scenario scenario;
  scenario.threads = {[=] {
                        if (shared->parking.end_search() && !shared->inbox.looks_empty())
                          shared->parking.wake_for_work(2);
                      },
                      [=] {
                        shared->post(0);
                        shared->parking.wake_for_work(2);
                      },
                      [=] {
                        if (shared->parking.sleep(1)) shared->parking.end_search();
                        shared->take();
                      }};
  scenario.at_end = [=] {
    Explorer::check(shared->nodes[0].taken == 1, "the sleeper was woken, and has taken it");
  };
  return scenario;
}

TEST(InboxExecutions, EachOrderIsNeeded) {
  test::expect_each_order_is_needed(
      {"sched/inbox.hpp"},
      {{"two of each", two_of_each}, {"a sleeper", a_sleeper}, {"a searcher", a_searcher}});
}

TEST(Inbox, HoldsSoManyAndGivesTheNewestFirst) {
  struct Plain {
    Plain* next = nullptr;
  };
  Plain nodes[3];
  Inbox<Plain> inbox;
  EXPECT_TRUE(inbox.looks_empty());
  EXPECT_TRUE(inbox.post(nodes[0], 2));
  EXPECT_TRUE(inbox.post(nodes[1], 2));
  EXPECT_FALSE(inbox.post(nodes[2], 2));
  EXPECT_FALSE(inbox.looks_empty());
  EXPECT_EQ(inbox.take_all(), &nodes[1]);
  EXPECT_EQ(nodes[1].next, &nodes[0]);
  EXPECT_EQ(nodes[0].next, nullptr);
  EXPECT_EQ(inbox.take_all(), nullptr);
  EXPECT_TRUE(inbox.post(nodes[2], 2)) << "there is room again";
}

}  // namespace
}  // namespace heddle
