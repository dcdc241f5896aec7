// Every execution of small cases, under the C++ memory model: an item leaves exactly once, whoever takes it,
// and what its owner wrote before is there.
#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <vector>

#include "support/executions.hpp"
#include "support/explored_futex.hpp"
#include "sync/deque.hpp"
#include "sync/parking.hpp"

namespace heddle {
namespace {

using test::ExploredAtomic;
using test::ExploredData;
using test::Explorer;
using Deque = WorkStealingDeque<int, ExploredAtomic, 2>;  // two at a stroke; long with eight

struct Shared {
  static constexpr int kMost = 12;
  explicit Shared(std::int64_t capacity) : deque(capacity) {}
  Deque deque;
  std::array<int, kMost> items{}, taken{};
  std::array<ExploredData<int>, kMost> data;

  void push(int number) {
    data[static_cast<std::size_t>(number)].set(number + 1);
    deque.push(&items[static_cast<std::size_t>(number)]);
  }
  void take(const int* item) {
    if (item == nullptr) return;
    const auto number = static_cast<std::size_t>(item - items.data());
    Explorer::check(number < items.size(), "what is taken is an item");
    Explorer::check(data[number].get() == static_cast<int>(number) + 1, "what its owner wrote is there");
    ++taken[number];
  }
  void steal(int most) {
    std::array<int*, Deque::kBatch> stolen{};
    for (int n = deque.steal(stolen.data(), most); n > 0; --n) take(stolen[static_cast<std::size_t>(n) - 1]);
  }
};

struct Case {
  int first = 0;  // items that are there
  int pushes = 0, pops = 0;
  int thieves = 1, steals = 1;  // of each
  std::int64_t capacity = 8;
  bool owner_takes_oldest = false;  // before each pop
};

std::function<Explorer::Scenario()> scenario(const Case& c) {
  return [c] {
    auto shared = std::make_shared<Shared>(c.capacity);
    for (int i = 0; i < c.first; ++i) shared->push(i);
    Explorer::Scenario scenario;
    scenario.threads.emplace_back([=] {
      for (int i = 0; i < c.pushes; ++i) shared->push(c.first + i);
      for (int i = 0; i < c.pops; ++i) {
        if (c.owner_takes_oldest) shared->steal(1);
        shared->take(shared->deque.pop());
      }
    });
    for (int t = 0; t < c.thieves; ++t)
      scenario.threads.emplace_back([=] {
        for (int i = 0; i < c.steals; ++i) shared->steal(Deque::kBatch);
      });
    scenario.at_end = [=] {
      while (const int* item = shared->deque.pop())
        ++shared->taken[static_cast<std::size_t>(item - shared->items.data())];
      for (int i = 0; i < c.first + c.pushes; ++i)
        Explorer::check(shared->taken[static_cast<std::size_t>(i)] == 1, "an item leaves exactly once");
    };
    return scenario;
  };
}

// What the owner knows of its deque while a thief is at work.
Explorer::Scenario the_owner_looks() {
  auto shared = std::make_shared<Shared>(8);
  Explorer::Scenario scenario;
  scenario.threads = {[=] {
                        for (int i = 0; i < 2; ++i) shared->push(i);
                        Explorer::check(shared->deque.end() == 2, "it knows where the next one goes");
                        Explorer::check(!shared->deque.holds(3), "it holds no more than it has pushed");
                        if (!shared->deque.holds(1))
                          Explorer::check(shared->deque.pop() == nullptr, "it is empty");
                      },
                      [=] {
                        for (int i = 0; i < 2; ++i) shared->steal(1);
                      }};
  return scenario;
}

// A thread has searched in vain and looks once more, while an item comes and another thread sleeps.
Explorer::Scenario a_search_ends() {
  struct Searched : Shared {
    Searched() : Shared(8) {}
    Parking<ExploredAtomic, test::ExploredSleep> parking{2};
  };
  auto shared = std::make_shared<Searched>();
  shared->parking.announce(1);
  shared->parking.begin_search();
  Explorer::Scenario scenario;
  scenario.threads = {[=] {
                        if (shared->parking.end_search() && !shared->deque.looks_empty())
                          shared->parking.wake_for_work(2);
                      },
                      [=] {
                        shared->push(0);
                        shared->parking.wake_for_work(2);
                      },
                      [=] {
                        shared->parking.sleep(1);
                        Explorer::check(!shared->deque.looks_empty(), "it is woken for the item");
                        shared->steal(1);
                      }};
  scenario.at_end = [=] { Explorer::check(shared->taken[0] == 1, "the item is taken"); };
  return scenario;
}

TEST(DequeExecutions, EachOrderIsNeeded) {
  test::expect_each_order_is_needed(
      {"sync/deque.hpp"},
      {
          {"the last item", scenario({.pushes = 1, .pops = 1})},
          {"two pops against two steals", scenario({.pushes = 2, .pops = 2, .steals = 2})},
          {"two thieves and the owner", scenario({.pushes = 2, .pops = 2, .thieves = 2})},
          {"the owner grows the ring", scenario({.pushes = 3, .pops = 1, .steals = 2, .capacity = 2})},
          {"the owner empties a long deque", scenario({.first = 9, .pops = 9, .steals = 2, .capacity = 16})},
          {"the owner takes its oldest",
           scenario({.first = 2, .pops = 2, .steals = 2, .capacity = 16, .owner_takes_oldest = true})},
          {"the owner takes its oldest of a long deque",
           scenario({.first = 9, .pops = 5, .steals = 2, .capacity = 16, .owner_takes_oldest = true})},
          {"two thieves of a deque that grows long",
           scenario({.first = 7, .pushes = 2, .pops = 3, .thieves = 2, .capacity = 16})},
          {"the owner looks", the_owner_looks},
          {"a search ends", a_search_ends},
      },
      {{"WorkStealingDeque::look_at_top: load acquire",
        "the owner overwrites a slot behind a thief's read of it: only load buffering could turn the two "
        "round, which RC11 "
        "leaves out and processors have"}});
}

}  // namespace
}  // namespace heddle
