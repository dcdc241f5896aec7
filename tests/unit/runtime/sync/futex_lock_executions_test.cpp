// Every execution of threads that take a lock in turn, under the C++ memory model: one holds it at a time,
// knows what the one before did, and none sleeps for ever.
#include "sync/futex_lock.hpp"

#include <gtest/gtest.h>

#include <memory>

#include "support/executions.hpp"
#include "support/explored_futex.hpp"

namespace heddle {
namespace {

using test::ExploredAtomic;
using test::ExploredData;
using test::Explorer;

template <int kLooks>
struct Waits {
  static int looks() { return kLooks; }
  static void wait(const ExploredAtomic<std::uint32_t>& word, std::uint32_t expected) {
    test::ExploredFutexes::wait(word, expected);
  }
  static void wake(const ExploredAtomic<std::uint32_t>& word) { test::ExploredFutexes::wake(word, 1); }
};

enum class Takes { kAtOnce, kIfFree, kLate };

// looks: how often a thread looks before it sleeps.
template <int kLooks>
std::function<Explorer::Scenario()> scenario(int threads, Takes takes) {
  struct Shared {
    BasicFutexLock<ExploredAtomic, Waits<kLooks>> lock;
    test::ExploredFutexes futexes;
    ExploredData<int> held;
    int times[Explorer::kMostThreads] = {};
  };
  return [=] {
    auto shared = std::make_shared<Shared>();
    Explorer::Scenario scenario;
    for (int i = 0; i < threads; ++i)
      scenario.threads.emplace_back([=] {
        Shared& s = *shared;
        if (takes == Takes::kIfFree && i == 0) {
          if (!s.lock.try_lock()) return;
        } else if (takes == Takes::kLate && i == 0) {
          s.lock.lock_late();
        } else {
          s.lock.lock();
        }
        s.held.set(s.held.get() + 1);
        ++s.times[i];
        s.lock.unlock();
      });
    scenario.at_end = [=] {
      int sum = 0;
      for (const int times : shared->times) sum += times;
      Explorer::check(shared->held.get() == sum, "each holds it alone");
      Explorer::check(sum >= threads - 1, "each has held it");
    };
    return scenario;
  };
}

TEST(FutexLockExecutions, EachOrderIsNeeded) {
  test::expect_each_order_is_needed({"sync/futex_lock.hpp"},
                                    {{"two threads", scenario<0>(2, Takes::kAtOnce)},
                                     {"two threads, one looks", scenario<1>(2, Takes::kAtOnce)},
                                     {"a thread that takes it if it is free", scenario<0>(2, Takes::kIfFree)},
                                     {"a thread that sleeps at once", scenario<0>(2, Takes::kLate)}});
}

TEST(FutexLockExecutions, ThreeThreads) {
  test::expect_every_execution_is_right(Explorer::run(scenario<0>(3, Takes::kAtOnce)));
}

}  // namespace
}  // namespace heddle
