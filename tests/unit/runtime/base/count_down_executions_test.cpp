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
    CountDown<ExploredAtomic> pending;
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
        shared->was_last[i] = shared->pending.release_one();
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

// One that is waited for makes others known, which are waited for as well; then it starts anew.
Explorer::Scenario more_come() {
  struct Shared {
    CountDown<ExploredAtomic> pending{1};
    ExploredData<int> done[2];
    ExploredAtomic<int> is_known{0};
    int times_last = 0;
    void leave(int who) {
      done[who].set(1);
      if (!pending.release_one()) return;
      for (auto& other : done) Explorer::check(other.get() == 1, "what the others did is there");
      ++times_last;
      pending.reset(1);
    }
  };
  auto shared = std::make_shared<Shared>();
  Explorer::Scenario scenario;
  scenario.threads = {[=] {
                        shared->pending.add_one();
                        shared->is_known.store(1, std::memory_order_release);
                        shared->leave(0);
                      },
                      [=] {
                        shared->is_known.await([](int known) { return known == 1; },
                                               std::memory_order_acquire);
                        shared->leave(1);
                      }};
  scenario.at_end = [=] {
    Explorer::check(shared->times_last == 1, "one was the last");
    Explorer::check(shared->pending.release_one(), "it starts anew");
  };
  return scenario;
}

TEST(CountDownExecutions, EachOrderIsNeeded) {
  test::expect_each_order_is_needed(
      {"base/count_down.hpp"},
      {{"two threads", scenario(2)}, {"three threads", scenario(3)}, {"more come", more_come}});
}

}  // namespace
}  // namespace heddle
