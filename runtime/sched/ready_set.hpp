// The ready tasks of a team and the order in which its workers take them.
//
// Words: a worker is named by its number in the team; no thread is known here. A task that its finder may not
// start (start_rule.hpp) goes to a shared *overflow list*. One that another worker should run is *posted*
// to the *affinity inbox* of that one. Invariant: a ready task is in exactly one worker's deque or inbox, or
// among the urgent, or in the background, or on the overflow list.
//
// Order: urgent tasks (priority > 0, highest first); the worker's own youngest; its inbox; the overflow list;
// another's oldest, of the nearest first; another's inbox; in the background its shared list, the worker's
// own oldest, another's.
//
// Under a constraint a worker steals only what it may start, as far as it knows (lineage.hpp). The rest it
// would move to the overflow list, which has one lock, and all look there.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "base/published.hpp"
#include "base/relaxed_atomic.hpp"
#include "sched/inbox.hpp"
#include "sched/limits.hpp"
#include "sched/lineage.hpp"
#include "sched/ready_count.hpp"
#include "sched/start_rule.hpp"
#include "sync/deque.hpp"
#include "sync/futex_lock.hpp"
#include "task/task.hpp"

namespace heddle {

/// A locked list of tasks, highest priority first and first-in, first-out within a priority. For what is
/// rare: priorities, tasks that their finder may not run, tasks made ready by threads outside the team.
class alignas(kCacheLine) TaskList {
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
    return take_and_unlock(may_run);
  }

  /// The same, but where somebody else is at the list: then it returns nullptr and sets *left_some.
  template <class MayRun>
  Task* try_take(MayRun&& may_run, bool* left_some) {
    if (looks_empty()) return nullptr;
    if (lock_.try_lock()) return take_and_unlock(may_run);
    *left_some = true;
    return nullptr;
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
  std::size_t size() const { return count_.size(); }

  bool looks_empty() const { return count_.looks_empty(); }

  /// Whether the buckets are in order, and hold as many tasks as are counted, each in that of its priority.
  /// Threads: any.
  bool is_valid();

 private:
  // Requires: the lock.
  bool is_in_order() const;

  struct Bucket {
    std::int32_t priority;
    Task* first = nullptr;
    Task* last = nullptr;
  };

  // Requires: the lock.
  template <class MayRun>
  Task* take_and_unlock(MayRun&& may_run) {
    Task* found = nullptr;
    for (std::size_t b = 0; b < buckets_.size() && found == nullptr; ++b)
      found = take_from(buckets_[b], may_run);
    lock_.unlock();
    return found;
  }

  template <class MayRun>
  Task* take_from(Bucket& bucket, MayRun&& may_run) {
    Task* before = nullptr;
    for (Task* task = bucket.first; task != nullptr; before = task, task = task->next) {
      if (!may_run(*task)) continue;
      (before != nullptr ? before->next : bucket.first) = task->next;
      if (bucket.last == task) bucket.last = before;
      count_.remove();
      return task;
    }
    return nullptr;
  }

  ReadyCount<> count_;
  FutexLock lock_;
  std::vector<Bucket> buckets_;  // one per priority ever seen, highest first
};

// In which order a worker looks at the others for work: those near it in the machine first, since what a
// stolen task works on is then near as well.

/// Where a worker runs: the socket, the NUMA domain, the last-level cache and the core, by number, the widest
/// first.
using Location = std::array<std::int16_t, 4>;

/// How many levels of the machine two workers do not share: 0 on the same core.
inline int distance(const Location& a, const Location& b) {
  const auto differs = std::ranges::mismatch(a, b).in1;
  return static_cast<int>(a.end() - differs);
}

/// All other workers, the nearest first; of equal ones first those that follow `worker` by number, so that
/// not all begin with the same. Without a location for each all are equally near.
/// Shape: workers - 1 numbers.
inline std::vector<std::uint16_t> steal_order(int worker, int workers, std::span<const Location> locations) {
  std::vector<std::uint16_t> order;
  for (int i = 1; i < workers; ++i) order.push_back(static_cast<std::uint16_t>((worker + i) % workers));
  if (locations.size() < static_cast<std::size_t>(workers)) return order;
  const Location& here = locations[static_cast<std::size_t>(worker)];
  std::ranges::sort(order, {}, [&](std::uint16_t other) {
    return std::pair(distance(here, locations[other]), (other - worker + workers) % workers);
  });
  return order;
}

class ReadySet {
 public:
  explicit ReadySet(int workers);

  /// Requires: task is ready; the caller is `worker`.
  /// Ensures:  ownership passes to the set; do not touch the task afterwards.
  /// Ordering: what happened before is visible to the thread that takes the task.
  void push(int worker, Task& task) {
    Queue& own = *queues_[static_cast<std::size_t>(worker)];
    if (task.priority == 0) [[likely]]
      own.deque.push(&task);
    else if (task.priority == Task::kBackground)
      push_background(own, task);
    else
      list_of(task).insert(task);
  }

  /// Pushes it for another worker, which has its data at hand. Returns false, and does nothing, where that
  /// has much to do already.
  bool post(int worker, Task& task) { return post(worker, task, task, 1); }

  /// The same of a chain, the youngest first. Requires: count <= kMostInInbox.
  bool post(int worker, Task& first, Task& last, std::uint32_t count) {
    Inbox<Task>& inbox = queues_[static_cast<std::size_t>(worker)]->inbox;
    return inbox.post(first, last, count, limits::kMostInInbox);
  }

  /// The same from a thread outside the team, or for a task that the caller may not run.
  void push_overflow(Task& task) { list_of(task).insert(task); }

  /// Leaves all that is in the deque of `worker`, the caller, to others: for one that has no part in what its
  /// team executes now.
  void overflow_own(int worker);

  /// Takes a task that `worker` may start under `rule`: an urgent one or the youngest of
  /// its own. Returns nullptr where there is none.
  /// `*moved` becomes true where tasks went to the overflow list on the way: another worker should look.
  Task* take_own(int worker, StartRule rule, bool* moved);

  /// Where the workers run from now on; empty: anywhere. Threads: the team's primary.
  /// Shape: one a worker.
  void locate(std::vector<Location> locations);

  /// The oldest of its own that it may start: for a worker that yields.
  Task* take_own_oldest(int worker, StartRule rule, bool* moved);

  /// The same of its inbox, of the overflow list, and of what other workers have. `*left_some` becomes true
  /// where tasks were left.
  Task* take_elsewhere(int worker, int workers, StartRule rule, Reach reach, bool* moved, bool* left_some);

  /// One in the background: for a worker that found nothing else, and left nothing. The shared list
  /// comes first, then its own oldest, then another's.
  Task* take_background(int worker, int workers, StartRule rule, bool* moved);
  /// Those there before kBackground for which is_wanted(task) holds, linked by `next`, the last first: for
  /// a caller that queues them otherwise.
  template <class IsWanted>
  Task* promote(IsWanted&& is_wanted) {
    return background_.take_all(Task::kBackground, is_wanted);
  }

  /// Whether `worker`, the caller, has at least `count` tasks queued.
  bool holds(int worker, std::int64_t count) {
    return queues_[static_cast<std::size_t>(worker)]->deque.holds(count);
  }
  /// Where `worker`, the caller, queues its next task: younger ones stand there and above.
  std::int64_t end_of(int worker) const { return queues_[static_cast<std::size_t>(worker)]->deque.end(); }
  /// Whether there is nothing for the first `workers`.
  bool looks_empty(int workers) const;
  bool has_urgent() const { return !urgent_.looks_empty(); }

  /// Whether its lists are. Threads: any.
  bool is_valid();

 private:
  struct alignas(kCacheLine) Queue {
    WorkStealingDeque<Task> deque;
    WorkStealingDeque<Task> background{16};  // its owner takes from the thieves' end as well
    Inbox<Task> inbox;
    // Owner only, and on lines of its own: it writes them as it looks for work, and others look at the inbox.
    // A worker that had work just now probably still has; -1: none had.
    alignas(kCacheLine) int last_victim = -1;
    std::size_t next_inbox = 0;          // of which victim
    std::vector<std::uint16_t> victims;  // in the order of looking; for these locations, and so many workers
    const std::vector<Location>* victims_by = nullptr;
    Lineage lineage;
  };
  [[gnu::cold]] Task* take_urgent_or_own(int worker, StartRule rule, bool* moved);
  bool helps(const Queue& victim, const Task& constraint) const;
  void order_victims(int worker, int workers);
  Task* take_from_inbox(Queue& own, Inbox<Task>& inbox, StartRule rule, bool* moved);
  Task* take_overflow(StartRule rule, Reach reach, bool* left_some);
  template <class TakeOf>
  Task* take_of_any(Queue& own, TakeOf&& take_of);
  Task* steal_from_any(Queue& own, StartRule rule, Reach reach, bool* moved, bool* left_some);
  Task* take_from_inbox_of_any(Queue& own, StartRule rule, Reach reach, bool* moved, bool* left_some);
  Lineage::Origin origin_at(int victim) const;
  Lineage::Origin origin_of(const Task& task) const;
  Task* steal(Queue& own, Queue& victim, StartRule rule, Reach reach, bool* moved, bool* left_some, int most);

  void push_background(Queue& own, Task& task) {
    own.background.push(&task);
    if (!has_background_.load()) has_background_.store(true);  // most teams have none; Parking orders it
  }
  Task* take_oldest(Queue& queue, StartRule rule, bool* moved);

  TaskList& list_of(const Task& task) {
    return task.priority > 0 ? urgent_ : task.priority < 0 ? background_ : overflow_;
  }

  std::vector<std::unique_ptr<Queue>> queues_;
  // A slow worker may still read what is out of date, so it stays; there are few, since they recur.
  std::vector<std::unique_ptr<const std::vector<Location>>> all_locations_;
  Published<const std::vector<Location>*> locations_{nullptr};
  TaskList urgent_;
  TaskList overflow_;
  TaskList background_;                        // what lags, and what the worker that found it may not start
  RelaxedAtomic<bool> has_background_{false};  // some worker has had one of its own
};

}  // namespace heddle
