// Every execution of threads that add to a list with one that goes through it, under the C++ memory model.
#include "base/growing_list.hpp"

#include <gtest/gtest.h>

#include <memory>

#include "support/executions.hpp"

namespace heddle {
namespace {

using test::ExploredAtomic;
using test::ExploredData;
using test::Explorer;

struct Node {
  ExploredData<int> value{0};
  ExploredData<Node*> older{nullptr};
};

struct Shared {
  Node nodes[2];
  GrowingList<Node, ExploredAtomic> list;

  int size() const {
    int size = 0;
    for (const Node* node = list.newest(); node != nullptr; node = node->older) {
      Explorer::check(node->value.get() == 1, "a node is as it was added");
      ++size;
    }
    return size;
  }
};

Explorer::Scenario two_add() {
  auto shared = std::make_shared<Shared>();
  Explorer::Scenario scenario;
  for (Node& node : shared->nodes)
    scenario.threads.emplace_back([=, &node] {
      node.value.set(1);
      shared->list.add(node);
    });
  scenario.threads.emplace_back([=] { shared->size(); });
  scenario.at_end = [=] { Explorer::check(shared->size() == 2, "both are there"); };
  return scenario;
}

TEST(GrowingListExecutions, EachOrderIsNeeded) {
  test::expect_each_order_is_needed({"base/growing_list.hpp"}, {{"two add", two_add}});
}

}  // namespace
}  // namespace heddle
