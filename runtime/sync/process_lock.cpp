#include "sync/process_lock.hpp"

#include <initializer_list>

#include "sys/native_thread.hpp"

namespace heddle {

struct ProcessLocks {
  static void lock_all() {
    fork.lock();
    held = all.newest();
    for (const auto order : {ProcessLock::Order::kOuter, ProcessLock::Order::kInner})
      for (ProcessLock* lock = held; lock != nullptr; lock = lock->older)
        if (lock->order_ == order) lock->lock();
  }
  // Those that were made meanwhile are not held.
  static void unlock_all() {
    for (ProcessLock* lock = held; lock != nullptr; lock = lock->older) lock->unlock();
    fork.unlock();
  }

  static constinit GrowingList<ProcessLock> all;
  static constinit FutexLock fork;  // several threads may call fork() at a time
  static constinit ProcessLock* held;
};

constinit GrowingList<ProcessLock> ProcessLocks::all;
constinit FutexLock ProcessLocks::fork;
constinit ProcessLock* ProcessLocks::held = nullptr;

ProcessLock::ProcessLock(Order order) : order_(order) {
  ProcessLocks::all.add(*this);
}

void hold_process_locks_over_fork() {
  static const bool is_registered = [] {
    at_fork(ProcessLocks::lock_all, ProcessLocks::unlock_all, ProcessLocks::unlock_all);
    return true;
  }();
  static_cast<void>(is_registered);
}

}  // namespace heddle
