#include "suspend/locks.hpp"

#include <optional>

#include "suspend/polling.hpp"
#include "suspend/spawned_task.hpp"
#include "sys/processor.hpp"
#include "task/task.hpp"
#include "team/team.hpp"
#include "team/wait.hpp"

namespace heddle {
namespace {

constexpr int kLooks = 64;  // an owner on another thread is soon done

bool take_soon(void* lock, bool (*try_take)(void* lock)) {
  for (int i = 0; i < kLooks; ++i) {
    if (try_take(lock)) return true;
    cpu_relax();
  }
  return false;
}

// Of the current task. A spawned one may go on with another thread.
class LockWait {
 public:
  explicit LockWait(const void* lock) {
    Member& me = this_member();
    if (SpawnedTask::of(*me.context.task) != nullptr) return;
    wait_.emplace(me, WaitsFor::kLock, lock);
    observe(&Observer::thread_waits, *wait_);
  }

 private:
  std::optional<WaitInPlace> wait_;
};

}  // namespace

void wait_for_lock(FutexLock& lock) {
  if (lock.lock_soon()) return;
  const LockWait here(&lock);
  lock.lock_late();
}

void wait_for_lock(void* lock, bool (*try_take)(void* lock)) {
  if (take_soon(lock, try_take)) return;
  const LockWait here(lock);
  spin_until([&] { return try_take(lock); });
}

void wait_suspended_for_lock(FutexLock& lock) {
  wait_suspended_for_lock(&lock, [](void* wanted) { return static_cast<FutexLock*>(wanted)->try_lock(); });
}

void wait_suspended_for_lock(void* lock, bool (*try_take)(void* lock)) {
  if (take_soon(lock, try_take)) return;
  const LockWait here(lock);
  // Nobody tells when the lock is free: it is a word of the program's.
  constexpr std::int64_t kFirstNs = 10'000, kLongestNs = 500'000;
  std::int64_t pause_ns = kFirstNs;
  while (!try_take(lock)) {
    sleep_task(this_member(), pause_ns, lock);  // a spawned task may be on another thread by now
    pause_ns = std::min(2 * pause_ns, kLongestNs);
  }
}

}  // namespace heddle
