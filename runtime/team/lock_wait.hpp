// Waiting for a lock in a task: its owner may be suspended on the very thread that wants it.
#pragma once

#include "sync/futex_lock.hpp"
#include "team/polling.hpp"
#include "team/suspension.hpp"

namespace heddle {

/// Whether tasks of the calling thread are suspended, in whichever of its places, one of which may own what
/// the thread is about to wait for.
inline bool has_suspended_tasks() {
  if (t_worker == nullptr) return false;
  if (has_spawned()) return true;  // they may go on with any thread
  if (t_worker->spawn_team != nullptr && t_worker->spawn_team->members[0].suspended.count != 0) return true;
  for (const Member* place = t_worker->member; place != nullptr; place = outer_place(*place))
    if (place->suspended.count != 0) return true;
  return false;
}

/// The current task waits until try_take() holds; suspended tasks go on meanwhile, and in the end others
/// start.
void wait_suspended_for_lock(void* lock, bool (*try_take)(void* lock));
void wait_suspended_for_lock(FutexLock& lock);

/// The same as the two below, for the watchdog. where: the code that asks for the lock.
void lock_with_note(FutexLock& lock, const void* where);
void unlock_with_note(FutexLock& lock);

/// Takes a lock of the program.
/// Cost: as FutexLock::lock() where it is free or no task of this thread is suspended.
inline void lock_in_task(FutexLock& lock) {
  if (has_watchdog()) [[unlikely]]
    return lock_with_note(lock, __builtin_return_address(0));
  if (lock.try_lock()) [[likely]]
    return;
  if (!has_suspended_tasks()) [[likely]]
    return lock.lock();
  wait_suspended_for_lock(lock);
}

/// Gives it back.
inline void unlock_in_task(FutexLock& lock) {
  if (has_watchdog()) [[unlikely]]
    return unlock_with_note(lock);
  lock.unlock();
}

}  // namespace heddle
