// Every execution of threads that come and go, under the C++ memory model: in the end it is said whether
// there are more of them than processors.
#include "sync/oversubscription.hpp"

#include <gtest/gtest.h>

#include <memory>

#include "support/executions.hpp"

namespace heddle {
namespace {

using test::ExploredAtomic;
using test::Explorer;

// Each thread changes the count by its list, one after the other; one thread is there from the beginning.
std::function<Explorer::Scenario()> scenario(int processors, std::vector<std::vector<int>> changes) {
  return [=] {
    auto shared = std::make_shared<Oversubscription<ExploredAtomic>>();
    shared->forget_others();
    int in_the_end = 1;
    Explorer::Scenario scenario;
    for (const std::vector<int>& list : changes) {
      for (const int change : list) in_the_end += change;
      scenario.threads.emplace_back([=] {
        for (const int change : list) shared->add(change, processors);
      });
    }
    scenario.at_end = [=] {
      Explorer::check(shared->holds() == (in_the_end > processors), "what is said is right in the end");
    };
    return scenario;
  };
}

TEST(OversubscriptionExecutions, EachOrderIsNeeded) {
  test::expect_each_order_is_needed({"sync/oversubscription.hpp"},
                                    {{"one comes and one goes", scenario(1, {{1}, {-1}})},
                                     {"two come, and one goes again", scenario(2, {{1, -1}, {1}})}});
}

TEST(OversubscriptionExecutions, ThreeComeAndGo) {
  test::expect_every_execution_is_right(Explorer::run(scenario(2, {{1}, {1}, {-1}})));
}

}  // namespace
}  // namespace heddle
