// Locks of which a process has one, or few, and that a child of fork() finds free, with what they guard
// whole.
//
// fork() copies a process with whatever its other threads were in the middle of. So the forking thread takes
// all of these locks before, and gives them back after, in both processes. Invariant: nobody else's handlers
// of fork() run meanwhile, as far as that can be had: ours are registered when the library is loaded, so they
// are the last before a fork and the first after it (pthread_atfork(3)), except for handlers that a program
// has registered before it loads the library with dlopen().
#pragma once

#include "base/growing_list.hpp"
#include "sync/futex_lock.hpp"

namespace heddle {

class ProcessLock : public FutexLock {
 public:
  /// Which of two of them comes first where a thread holds both.
  enum class Order { kOuter, kInner };

  /// Requires: it lives as long as the process.
  explicit ProcessLock(Order order = Order::kInner);

 private:
  friend struct ProcessLocks;
  friend class GrowingList<ProcessLock>;
  const Order order_;
  ProcessLock* older = nullptr;  // of all there are
};

/// From now on they are held over each fork(). Without effect after the first call.
void hold_process_locks_over_fork();

}  // namespace heddle
