// A locked list of tasks, highest priority first and first-in, first-out within a priority. For what is rare:
// priorities, tasks that their finder may not run, tasks made ready by threads outside the team; and for what
// lasts long enough: tasks sent to where their data is.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "sync/futex_lock.hpp"
#include "task/task.hpp"

namespace heddle {

class TaskList {
 public:
  /// Inserts behind all tasks of the same priority.
  /// Cost: a lock, and a search over the distinct priorities in use.
  void insert(Task& task);

  /// Takes the first task for which may_run(task) holds, or nullptr.
  /// Cost: one load where the list is empty.
  template <class MayRun>
  Task* take(MayRun&& may_run) {
    if (looks_empty()) return nullptr;
    lock_.lock();
    Task* found = nullptr;
    for (std::size_t b = 0; b < buckets_.size() && found == nullptr; ++b)
      found = take_from(buckets_[b], may_run);
    lock_.unlock();
    return found;
  }

  /// Takes all with a priority above that one for which is_wanted(task) holds, linked by `next`: the last
  /// first. Cost: one load where the list is empty, or else a look at each of them.
  template <class IsWanted>
  Task* take_all(std::int32_t above, IsWanted&& is_wanted) {
    if (looks_empty()) return nullptr;
    lock_.lock();
    Task* found = nullptr;
    for (Bucket& bucket : buckets_) {
      if (bucket.priority <= above) break;
      while (Task* const task = take_from(bucket, is_wanted)) task->next = std::exchange(found, task);
    }
    lock_.unlock();
    return found;
  }

  /// About how many there are.
  std::uint32_t size() const { return count_.load(std::memory_order_relaxed); }

  bool looks_empty() const { return count_.load(std::memory_order_seq_cst) == 0; }

 private:
  struct Bucket {
    std::int32_t priority;
    Task* first = nullptr;
    Task* last = nullptr;
  };

  template <class MayRun>
  Task* take_from(Bucket& bucket, MayRun&& may_run) {
    Task* before = nullptr;
    for (Task* task = bucket.first; task != nullptr; before = task, task = task->next) {
      if (!may_run(*task)) continue;
      (before != nullptr ? before->next : bucket.first) = task->next;
      if (bucket.last == task) bucket.last = before;
      count_.fetch_sub(1, std::memory_order_relaxed);
      return task;
    }
    return nullptr;
  }

  std::atomic<std::uint32_t> count_{0};
  FutexLock lock_;
  std::vector<Bucket> buckets_;  // one per priority ever seen, highest first
};

}  // namespace heddle
