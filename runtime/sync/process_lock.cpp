#include "sync/process_lock.hpp"

#include <atomic>
#include <initializer_list>

#include "sys/native_thread.hpp"

namespace heddle {

struct ProcessLocks {
  static void lock_all() {
    fork.lock();
    held = newest.load(std::memory_order_acquire);  // acquire: pairs with the release in ProcessLock()
    for (const auto order : {ProcessLock::Order::kOuter, ProcessLock::Order::kInner})
      for (ProcessLock* lock = held; lock != nullptr; lock = lock->next_)
        if (lock->order_ == order) lock->lock();
  }
  // Those that were made meanwhile are not held.
  static void unlock_all() {
    for (ProcessLock* lock = held; lock != nullptr; lock = lock->next_) lock->unlock();
    fork.unlock();
  }

  static constinit std::atomic<ProcessLock*> newest;
  static constinit FutexLock fork;  // several threads may call fork() at a time
  static constinit ProcessLock* held;
};

constinit std::atomic<ProcessLock*> ProcessLocks::newest{nullptr};
constinit FutexLock ProcessLocks::fork;
constinit ProcessLock* ProcessLocks::held = nullptr;

ProcessLock::ProcessLock(Order order)
    : order_(order), next_(ProcessLocks::newest.load(std::memory_order_relaxed)) {
  // release: pairs with the acquire in lock_all()
  while (!ProcessLocks::newest.compare_exchange_weak(next_, this, std::memory_order_release,
                                                     std::memory_order_relaxed)) {
  }
}

void hold_process_locks_over_fork() {
  static const bool is_registered = [] {
    at_fork(ProcessLocks::lock_all, ProcessLocks::unlock_all, ProcessLocks::unlock_all);
    return true;
  }();
  static_cast<void>(is_registered);
}

}  // namespace heddle
