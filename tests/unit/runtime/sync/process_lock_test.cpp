// fork() while other threads hold such locks: the child finds them free, and what they guard whole.
#include "sync/process_lock.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <mutex>
#include <thread>

namespace heddle {
namespace {

constexpr int kForks = 50;

struct Guarded {
  ProcessLock lock;
  int first = 0, second = 0;  // equal while the lock is free
};
struct Outer {
  ProcessLock lock{ProcessLock::Order::kOuter};
  int changes = 0;
};

TEST(ProcessLock, IsFreeInTheChildOfAForkAndWhatItGuardsIsWhole) {
  static Guarded& guarded = *new Guarded;  // process locks live as long as the process
  static Outer& outer = *new Outer;
  std::atomic<bool> stops{false};
  const auto change = [&] {
    while (!stops.load()) {
      const std::lock_guard around(outer.lock);
      const std::lock_guard guard(guarded.lock);
      ++guarded.first;
      for (int i = 0; i < 200; ++i) std::atomic_signal_fence(std::memory_order_seq_cst);
      ++guarded.second;
      ++outer.changes;
    }
  };
  std::thread one(change), other(change);
  int wrong = 0;
  for (int i = 0; i < kForks; ++i) {
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      alarm(20);  // it hangs where a lock is held
      const std::lock_guard around(outer.lock);
      const std::lock_guard guard(guarded.lock);
      _exit(guarded.first == guarded.second && guarded.first == outer.changes ? 0 : 1);
    }
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    wrong += status != 0;
  }
  stops = true;
  one.join();
  other.join();
  EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace heddle
