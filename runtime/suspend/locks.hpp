// Waiting for a lock in a task: its owner may be suspended on the very thread that wants it.
#pragma once

#include "suspend/poll_count.hpp"
#include "sync/futex_lock.hpp"
#include "task/task.hpp"
#include "team/team.hpp"
#include "trace/observer.hpp"

namespace heddle {

/// Whether tasks of the calling thread are suspended, in whichever of its places, one of which may own what
/// the thread is about to wait for.
inline bool has_suspended_tasks() {
  const Worker* const worker = known_worker();
  if (worker == nullptr) return false;
  if (has_spawned()) return true;  // they may go on with any thread
  if (worker->spawn_team != nullptr && worker->spawn_team->members[0].suspended.count != 0) return true;
  for (const Member* place = worker->member; place != nullptr; place = outer_place(*place))
    if (place->suspended.count != 0) return true;
  return false;
}

/// The current task waits until try_take() holds; suspended tasks go on meanwhile, and in the end others
/// start.
void wait_suspended_for_lock(void* lock, bool (*try_take)(void* lock));
void wait_suspended_for_lock(FutexLock& lock);

/// The same where none are suspended: the thread waits, and executes nothing meanwhile.
void wait_for_lock(void* lock, bool (*try_take)(void* lock));
void wait_for_lock(FutexLock& lock);

/// Takes a lock of the program.
/// Cost: as FutexLock::lock() where it is free or no task of this thread is suspended.
inline void lock_in_task(FutexLock& lock) {
  if (!lock.try_lock()) [[unlikely]] {
    if (!has_suspended_tasks()) [[likely]]
      wait_for_lock(lock);
    else
      wait_suspended_for_lock(lock);
  }
  observe(&Observer::lock_owned, &lock, __builtin_return_address(0));
}

/// Gives it back.
inline void unlock_in_task(FutexLock& lock) {
  observe(&Observer::lock_free, &lock);
  lock.unlock();
}

}  // namespace heddle
