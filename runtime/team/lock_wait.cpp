#include "team/lock_wait.hpp"

#include <algorithm>

#include "sys/relax.hpp"
#include "team/task_sleep.hpp"

namespace heddle {

void lock_with_note(FutexLock& lock, const void* where) {
  Member& me = this_member();
  if (!lock.try_lock()) {
    if (has_suspended_tasks()) {
      wait_suspended_for_lock(lock);
    } else {
      me.waits_for_lock = &lock;
      me.trace.take();
      lock.lock();
      me.trace.clear();
      me.waits_for_lock = nullptr;
    }
  }
  note_lock(&lock, me.current, where);
}

void unlock_with_note(FutexLock& lock) {
  forget_lock(&lock);
  lock.unlock();
}

void wait_suspended_for_lock(FutexLock& lock) {
  wait_suspended_for_lock(&lock, [](void* wanted) { return static_cast<FutexLock*>(wanted)->try_lock(); });
}

void wait_suspended_for_lock(void* lock, bool (*try_take)(void* lock)) {
  constexpr int kLooks = 64;  // an owner on another thread is soon done
  for (int i = 0; i < kLooks; ++i) {
    if (try_take(lock)) return;
    cpu_relax();
  }
  // Nobody tells when the lock is free: it is a word of the program's.
  constexpr std::int64_t kFirstNs = 10'000, kLongestNs = 500'000;
  std::int64_t pause_ns = kFirstNs;
  while (!try_take(lock)) {
    sleep_task(this_member(), pause_ns, lock);  // a spawned task may be on another thread by now
    pause_ns = std::min(2 * pause_ns, kLongestNs);
  }
}

}  // namespace heddle
