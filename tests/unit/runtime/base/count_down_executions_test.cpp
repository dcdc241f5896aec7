// Every execution of threads that count down, under the C++ memory model: one learns that it was the last,
// and all that the others did before is there then.
#include "base/count_down.hpp"

#include <gtest/gtest.h>

#include <memory>

#include "support/executions.hpp"

namespace heddle {
namespace {

using test::ExploredAtomic;
using test::ExploredData;
using test::Explorer;

std::function<Explorer::Scenario()> scenario(int threads) {
  struct Shared {
    ExploredAtomic<std::uint32_t> pending;
    ExploredData<int> done[Explorer::kMostThreads];
    bool was_last[Explorer::kMostThreads] = {};
    explicit Shared(int threads) : pending(static_cast<std::uint32_t>(threads)) {}
  };
  return [=] {
    auto shared = std::make_shared<Shared>(threads);
    Explorer::Scenario scenario;
    for (int i = 0; i < threads; ++i)
      scenario.threads.emplace_back([=] {
        shared->done[i].set(1);
        shared->was_last[i] = count_down(shared->pending);
        if (!shared->was_last[i]) return;
        for (int other = 0; other < threads; ++other)
          Explorer::check(shared->done[other].get() == 1, "what the others did is there");
      });
    scenario.at_end = [=] {
      int last = 0;
      for (const bool was : shared->was_last) last += was ? 1 : 0;
      Explorer::check(last == 1, "one was the last");
    };
    return scenario;
  };
}

TEST(CountDownExecutions, EachOrderIsNeeded) {
  test::expect_each_order_is_needed({"base/count_down.hpp"},
                                    {{"two threads", scenario(2)}, {"three threads", scenario(3)}});
}

}  // namespace
}  // namespace heddle
