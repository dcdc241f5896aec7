#include "suspend/locks.hpp"

#include <algorithm>
#include <mutex>
#include <optional>
#include <unordered_map>

#include "suspend/polling.hpp"
#include "suspend/spawned_task.hpp"
#include "sync/process_lock.hpp"
#include "sys/relax.hpp"
#include "task/task.hpp"
#include "team/team.hpp"
#include "team/wait.hpp"

namespace heddle {
namespace {

struct Owned {
  LockOwner owner;
  Task* kept = nullptr;  // an explicit task, which stays in memory
};

struct OwnedLocks {
  ProcessLock lock;
  std::unordered_map<const void*, Owned> locks;
  std::unordered_map<const Task*, int> kept;  // how many locks they own
};
OwnedLocks& owned_locks() {
  static auto* const instance = new OwnedLocks;
  return *instance;
}

// A task has room for few references: it gets one for all of its locks. Requires: its lock.
void keep(OwnedLocks& all, Task& task) {
  if (all.kept[&task]++ == 0) task.add_reference();
}

// Returns the task where nobody refers to it any more. Requires: its lock.
Task* let_go(OwnedLocks& all, Task& task) {
  const auto known = all.kept.find(&task);
  if (--known->second != 0) return nullptr;
  all.kept.erase(known);
  return task.drop_reference() ? &task : nullptr;
}

// Requires: its lock.
Task* forget(OwnedLocks& all, const void* lock) {
  const auto known = all.locks.find(lock);
  if (known == all.locks.end()) return nullptr;
  Task* const kept = known->second.kept;
  all.locks.erase(known);
  return kept != nullptr ? let_go(all, *kept) : nullptr;
}

}  // namespace

void remember_owner(const void* lock, const void* where) {
  Task& task = *this_member().context.task;
  Owned owned;
  owned.owner.lock = lock;
  owned.owner.where = where;
  if (!task.is_implicit()) {
    owned.owner.task = owned.kept = &task;
  } else if (SpawnedTask::of(task) == nullptr) {
    const Member& place = *implicit(task).place;
    owned.owner.task = &task;
    owned.owner.thread = place.number;
    owned.owner.level = place.team->level;
  }
  OwnedLocks& all = owned_locks();
  Task* last = nullptr;
  {
    const std::lock_guard guard(all.lock);
    if (owned.kept != nullptr) keep(all, *owned.kept);
    last = forget(all, lock);
    all.locks[lock] = owned;
  }
  if (last != nullptr) release_task(*last, this_worker().cache);
}

void forget_owner(const void* lock) {
  OwnedLocks& all = owned_locks();
  Task* last = nullptr;
  {
    const std::lock_guard guard(all.lock);
    last = forget(all, lock);
  }
  if (last != nullptr) release_task(*last, this_worker().cache);
}

void remember_end_of_implicit(const Task& task) {
  OwnedLocks& all = owned_locks();
  const std::lock_guard guard(all.lock);
  for (auto& [lock, owned] : all.locks)
    if (owned.owner.task == &task) owned.owner.has_ended = true;
}

std::vector<LockOwner> lock_owners() {
  OwnedLocks& all = owned_locks();
  const std::lock_guard guard(all.lock);
  std::vector<LockOwner> owners;
  for (const auto& [lock, owned] : all.locks) {
    owners.push_back(owned.owner);
    if (owned.kept != nullptr) owners.back().has_ended = owned.kept->is_complete();
  }
  return owners;
}

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
    if (has_watchdog()) wait_->trace.take();
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
