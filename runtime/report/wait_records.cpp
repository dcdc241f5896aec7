#include "report/wait_records.hpp"

#include <mutex>
#include <unordered_map>
#include <unordered_set>

#include "base/published.hpp"
#include "suspend/spawned_task.hpp"
#include "suspend/suspension.hpp"
#include "sync/process_lock.hpp"
#include "tasking/complete.hpp"
#include "team/team.hpp"
#include "team/wait.hpp"
#include "trace/observer.hpp"

namespace heddle {
namespace {

struct Owned {
  LockOwner owner;
  Task* kept = nullptr;  // an explicit task, which stays in memory
};

class WaitRecords final : public Observer {
 public:
  void implicit_task_ends(Member& place) override {
    const std::lock_guard guard(lock_);
    for (auto& [lock, owned] : locks_)
      if (owned.owner.task == &place.implicit_task) owned.owner.has_ended = true;
  }
  void task_suspends(Suspension& suspension) override { suspension.trace.take(); }
  void thread_waits(WaitInPlace& wait) override {
    if (wait.is_in_this_context() && wait.trace.is_empty()) wait.trace.take();
  }
  void task_waits_for_event(Task& task) override {
    const std::lock_guard guard(lock_);
    detached_.insert(&task);
  }
  void event_has_come(Task& task) override {
    const std::lock_guard guard(lock_);
    detached_.erase(&task);
  }
  void lock_owned(const void* lock, const void* where) override {
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
    Task* last = nullptr;
    {
      const std::lock_guard guard(lock_);
      if (owned.kept != nullptr) keep(*owned.kept);
      last = forget(lock);
      locks_[lock] = owned;
    }
    if (last != nullptr) release_task(*last, this_worker().cache);
  }
  void lock_free(const void* lock) override {
    Task* last = nullptr;
    {
      const std::lock_guard guard(lock_);
      last = forget(lock);
    }
    if (last != nullptr) release_task(*last, this_worker().cache);
  }

  std::vector<LockOwner> owners() {
    const std::lock_guard guard(lock_);
    std::vector<LockOwner> all;
    for (const auto& [lock, owned] : locks_) {
      all.push_back(owned.owner);
      if (owned.kept != nullptr) all.back().has_ended = owned.kept->is_complete();
    }
    return all;
  }
  std::vector<const Task*> detached() {
    const std::lock_guard guard(lock_);
    return {detached_.begin(), detached_.end()};
  }

 private:
  // A task has room for few references: it gets one for all of its locks. Requires: the lock.
  void keep(Task& task) {
    if (kept_[&task]++ == 0) task.add_reference();
  }
  // Returns the task where nobody refers to it any more. Requires: the lock.
  Task* let_go(Task& task) {
    const auto known = kept_.find(&task);
    if (--known->second != 0) return nullptr;
    kept_.erase(known);
    return task.drop_reference() ? &task : nullptr;
  }
  // Requires: the lock.
  Task* forget(const void* lock) {
    const auto known = locks_.find(lock);
    if (known == locks_.end()) return nullptr;
    Task* const kept = known->second.kept;
    locks_.erase(known);
    return kept != nullptr ? let_go(*kept) : nullptr;
  }

  ProcessLock lock_;
  std::unordered_map<const void*, Owned> locks_;
  std::unordered_map<const Task*, int> kept_;  // how many locks they own
  std::unordered_set<const Task*> detached_;
};

// Before the watchdog starts, null.
Published<WaitRecords*> g_records{nullptr};

}  // namespace

void start_wait_records() {
  auto* const records = new WaitRecords;  // never destroyed: threads may go on while the program ends
  g_records = records;
  add_observer(*records);
}

bool has_wait_records() {
  return g_records.seen() != nullptr;
}

std::vector<LockOwner> lock_owners() {
  WaitRecords* const records = g_records.seen();
  return records != nullptr ? records->owners() : std::vector<LockOwner>();
}

std::vector<const Task*> detached_tasks() {
  WaitRecords* const records = g_records.seen();
  return records != nullptr ? records->detached() : std::vector<const Task*>();
}

}  // namespace heddle
