// Every execution of tasks and threads that take nestable locks, under the C++ memory model: one holds the
// lock at a time, as often as it likes, and sees what the one before it did.
#include "sync/nest_lock.hpp"

#include <gtest/gtest.h>

#include <memory>

#include "support/executions.hpp"

namespace heddle {
namespace {

using test::ExploredAtomic;
using test::ExploredData;
using test::Explorer;

template <class Lock>
Explorer::Scenario three_try() {
  struct Shared {
    Lock lock;
    ExploredData<int> guarded{0};
    int taken = 0;
  };
  auto shared = std::make_shared<Shared>();
  Explorer::Scenario scenario;
  for (int i = 1; i <= 3; ++i)
    scenario.threads.emplace_back([=] {
      if (shared->lock.try_take(i) == 0) return;
      shared->guarded.set(shared->guarded.get() + 1);
      Explorer::check(shared->lock.try_take(i) == 2, "its owner takes it again");
      if constexpr (requires { shared->lock.times(); })
        Explorer::check(shared->lock.times() == 2, "it knows how often");
      shared->lock.give_back();
      shared->guarded.set(shared->guarded.get() + 1);
      shared->lock.give_back();
      ++shared->taken;
    });
  scenario.at_end = [=] {
    Explorer::check(shared->guarded.get() == 2 * shared->taken, "one at a time");
    Explorer::check(shared->lock.try_take(4) == 1, "it is free");
  };
  return scenario;
}

TEST(NestLockExecutions, EachOrderIsNeeded) {
  test::expect_each_order_is_needed({"sync/nest_lock.hpp"},
                                    {{"tasks", three_try<NestLock<ExploredAtomic>>},
                                     {"threads", three_try<ThreadNestLock<ExploredAtomic>>}});
}

}  // namespace
}  // namespace heddle
