// Every execution of the two threads that meet at a successor list, under the C++ memory model: the parent's,
// which pushes successors and abandons the task, and the one that completes it.
#include <gtest/gtest.h>

#include <memory>

#include "support/executions.hpp"
#include "task/successor_list.hpp"
#include "task/task.hpp"

namespace heddle {
namespace {

using test::ExploredAtomic;
using test::ExploredData;
using test::Explorer;
using List = SuccessorList<ExploredAtomic>;

constexpr int kMostPushes = 5;  // two more than are direct

struct Shared {
  List list;
  ExploredData<int> result;  // the task's, for its successors
  ExploredData<int> memory;  // the task's own: a thread that frees it writes it
  Task successors[kMostPushes];
  ExploredData<int> prepared[kMostPushes];  // of each successor, for the thread that releases it
  alignas(sizeof(Edge)) Edge edges[kMostPushes];
  bool is_pushed[kMostPushes] = {};
  int released[kMostPushes] = {};
  int freed[2] = {};  // by either thread
  bool is_held = false;

  void free(int who) {
    memory.set(-1);
    ++freed[who];
  }
};

struct OneEdge {
  Edge& edge;
  Edge& next() const { return edge; }
  bool has(const Edge& other) const { return &other == &edge; }
};

std::function<Explorer::Scenario()> scenario(int pushes, List::Closing how) {
  return [=] {
    auto shared = std::make_shared<Shared>();
    Explorer::Scenario scenario;
    scenario.threads.emplace_back([=] {
      Shared& s = *shared;
      for (int i = 0; i < pushes; ++i) {
        const OneEdge edges{s.edges[i]};
        s.prepared[i].set(1);
        s.is_pushed[i] = s.list.push(s.successors[i], edges);
        if (!s.is_pushed[i]) Explorer::check(s.result.get() == 1, "the task is complete");
        Explorer::check(!s.list.push(s.successors[i], edges), "once is enough");
      }
      (void)s.memory.get();
      const auto end = s.list.abandon();
      if (end == List::Abandoned::kFreed) s.free(0);
      s.is_held = end == List::Abandoned::kHeld;
      if (end != List::Abandoned::kOpen) Explorer::check(s.result.get() == 1, "the task is complete");
    });
    scenario.threads.emplace_back([=] {
      Shared& s = *shared;
      s.result.set(1);
      (void)s.memory.get();
      const auto closed = s.list.close(how);
      const auto release = [&](Task* successor) {
        const auto number = successor - s.successors;
        Explorer::check(s.prepared[number].get() == 1, "what was done before the push is there");
        ++s.released[number];
      };
      for (std::uint32_t i = 0; i < closed.directs; ++i) release(closed.direct[i]);
      for (Edge* edge = closed.edges; edge != nullptr; edge = edge->next) release(edge->successor);
      if (closed.was_abandoned) s.free(1);
    });
    scenario.at_end = [=] {
      const Shared& s = *shared;
      for (int i = 0; i < pushes; ++i)
        Explorer::check(s.released[i] == (s.is_pushed[i] ? 1 : 0), "each is refused or released once");
      Explorer::check(s.list.is_closed(), "it is closed");
      Explorer::check(s.freed[0] + s.freed[1] + (s.is_held ? 1 : 0) == 1,
                      "one side learns that it is the second");
      Explorer::check(!s.is_held || how == List::Closing::kHolds, "it is held where it was closed so");
    };
    return scenario;
  };
}

// A report's look at the successors of an incomplete task, and at whether it is complete.
Explorer::Scenario looks() {
  auto shared = std::make_shared<Shared>();
  Explorer::Scenario scenario;
  scenario.threads = {[=] {
                        for (int i = 0; i < kMostPushes; ++i) {
                          shared->prepared[i].set(1);
                          shared->list.push(shared->successors[i], OneEdge{shared->edges[i]});
                        }
                      },
                      [=] {
                        shared->list.for_each([&](const Task& successor) {
                          Explorer::check(shared->prepared[&successor - shared->successors].get() == 1,
                                          "what was done before the push is there");
                        });
                      },
                      [=] {
                        if (shared->list.first() != nullptr)
                          Explorer::check(shared->prepared[0].get() == 1,
                                          "what was done before the push is there");
                      }};
  return scenario;
}

Explorer::Scenario a_look_at_its_end() {
  auto shared = std::make_shared<Shared>();
  Explorer::Scenario scenario;
  scenario.threads = {[=] {
                        shared->result.set(1);
                        shared->list.close(List::Closing::kHolds);
                      },
                      [=] {
                        if (shared->list.is_closed())
                          Explorer::check(shared->result.get() == 1, "what was done before the end is there");
                      }};
  return scenario;
}

TEST(SuccessorListExecutions, EachOrderIsNeeded) {
  test::expect_each_order_is_needed({"task/successor_list.hpp"},
                                    {{"one successor", scenario(1, List::Closing::kLeaves)},
                                     {"a task that leaves", scenario(kMostPushes, List::Closing::kLeaves)},
                                     {"a task that is held", scenario(kMostPushes, List::Closing::kHolds)},
                                     {"looks at the successors", looks},
                                     {"a look at its end", a_look_at_its_end}});
}

}  // namespace
}  // namespace heddle
