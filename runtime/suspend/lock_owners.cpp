#include "suspend/lock_owners.hpp"

#include <mutex>
#include <unordered_map>

#include "suspend/spawned_task.hpp"
#include "sync/process_lock.hpp"
#include "task/release.hpp"
#include "team/team.hpp"

namespace heddle {
namespace {

struct Owned {
  LockOwner owner;
  Task* kept = nullptr;  // an explicit task, which stays in memory
};

struct Notes {
  ProcessLock lock;
  std::unordered_map<const void*, Owned> locks;
  std::unordered_map<const Task*, int> kept;  // how many locks they own
};
Notes& notes() {
  static auto* const instance = new Notes;
  return *instance;
}

// A task has room for few references: it gets one for all of its locks. Requires: the notes' lock.
void keep(Notes& all, Task& task) {
  if (all.kept[&task]++ == 0) task.add_reference();
}

// Returns the task where nobody refers to it any more. Requires: the notes' lock.
Task* let_go(Notes& all, Task& task) {
  const auto known = all.kept.find(&task);
  if (--known->second != 0) return nullptr;
  all.kept.erase(known);
  return task.drop_reference() ? &task : nullptr;
}

// Requires: the notes' lock.
Task* forget(Notes& all, const void* lock) {
  const auto known = all.locks.find(lock);
  if (known == all.locks.end()) return nullptr;
  Task* const kept = known->second.kept;
  all.locks.erase(known);
  return kept != nullptr ? let_go(all, *kept) : nullptr;
}

}  // namespace

void note_lock(const void* lock, const void* where) {
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
  Notes& all = notes();
  Task* last = nullptr;
  {
    const std::lock_guard guard(all.lock);
    if (owned.kept != nullptr) keep(all, *owned.kept);
    last = forget(all, lock);
    all.locks[lock] = owned;
  }
  if (last != nullptr) release_task(*last, this_worker().cache);
}

void forget_lock(const void* lock) {
  Notes& all = notes();
  Task* last = nullptr;
  {
    const std::lock_guard guard(all.lock);
    last = forget(all, lock);
  }
  if (last != nullptr) release_task(*last, this_worker().cache);
}

void note_end_of_implicit(const Task& task) {
  Notes& all = notes();
  const std::lock_guard guard(all.lock);
  for (auto& [lock, owned] : all.locks)
    if (owned.owner.task == &task) owned.owner.has_ended = true;
}

std::vector<LockOwner> noted_locks() {
  Notes& all = notes();
  const std::lock_guard guard(all.lock);
  std::vector<LockOwner> owners;
  for (const auto& [lock, owned] : all.locks) {
    owners.push_back(owned.owner);
    if (owned.kept != nullptr) owners.back().has_ended = owned.kept->is_complete();
  }
  return owners;
}

}  // namespace heddle
