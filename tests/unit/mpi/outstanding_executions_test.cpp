// Every execution of threads that bind requests while the one that polls thinks of leaving, under the C++
// memory model: no request is left without a thread that looks at it, and one polls at a time.
#include "mpi/outstanding.hpp"

#include <gtest/gtest.h>

#include <memory>

#include "support/executions.hpp"

namespace heddle::mpi {
namespace {

using test::ExploredAtomic;
using test::ExploredData;
using test::Explorer;

// Stands for a mutex.
class Lock {
 public:
  void lock() {
    do is_held_.await([](bool is_held) { return !is_held; }, std::memory_order_relaxed);
    while (!try_lock());
  }
  bool try_lock() { return !is_held_.exchange(true, std::memory_order_acquire); }
  void unlock() { is_held_.store(false, std::memory_order_release); }

 private:
  ExploredAtomic<bool> is_held_{false};
};

// As PendingRequests and Progress use it.
struct Shared {
  Outstanding<ExploredAtomic> outstanding;
  Lock lock;
  ExploredData<int> pollers;

  void bind() {
    outstanding.add_one();
    if (outstanding.is_polled()) return;
    lock.lock();
    if (!outstanding.is_polled()) {
      outstanding.begin_polling();
      pollers.set(pollers.get() + 1);
    }
    lock.unlock();
  }
  void complete_one() {
    if (outstanding.count() > 0) outstanding.remove(1);
  }
  void leave() {
    if (outstanding.count() != 0 || !lock.try_lock()) return;
    if (outstanding.end_polling()) pollers.set(pollers.get() - 1);
    lock.unlock();
  }
};

// binders: threads that bind one each. polls: one more thread has begun to poll, sees how much is complete,
// and leaves where it can.
std::function<Explorer::Scenario()> scenario(int binders, bool polls, bool one_is_complete = false) {
  return [=] {
    auto shared = std::make_shared<Shared>();
    Explorer::Scenario scenario;
    for (int n = 0; n < binders; ++n) scenario.threads.emplace_back([=] { shared->bind(); });
    if (polls) {
      shared->bind();
      if (!one_is_complete) shared->outstanding.remove(1);
      scenario.threads.emplace_back([=] {
        if (one_is_complete) shared->complete_one();
        shared->leave();
      });
    }
    scenario.at_end = [=] {
      const int pollers = shared->pollers.get();
      Explorer::check(pollers == (shared->outstanding.is_polled() ? 1 : 0), "one polls, or none");
      Explorer::check(shared->outstanding.count() == binders, "each is counted");
      Explorer::check(binders == 0 || pollers == 1, "what is outstanding is looked at");
    };
    return scenario;
  };
}

TEST(OutstandingExecutions, EachOrderIsNeeded) {
  test::expect_each_order_is_needed({"mpi/outstanding.hpp"},
                                    {{"the poller leaves", scenario(1, true)},
                                     {"the poller leaves after the last request", scenario(1, true, true)},
                                     {"two bind, and nobody polls", scenario(2, false)},
                                     {"two bind, and the poller leaves", scenario(2, true)},
                                     {"nobody binds", scenario(0, true)}});
}

}  // namespace
}  // namespace heddle::mpi
