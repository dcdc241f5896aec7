// The ready tasks of a team and the order in which its workers take them.
//
// Words: a worker is named by its number in the team; no thread is known here. A task that its finder may not
// start (start_rule.hpp) goes to a shared *overflow list*. One that another worker should run is *sent* to
// it, by way of its *mail*. Invariant: a ready task is in exactly one worker's deque or mail, or among the
// urgent, or in the background, or on the overflow list.
//
// Order: urgent tasks (priority > 0, highest first); the worker's own youngest; its mail; the overflow list;
// another's oldest, of the nearest first; another's mail; in the background its shared list, the worker's
// own oldest, another's.
//
// Under a constraint a worker steals from those only who help it, as far as it knows: who has stolen a child
// of the task that it waits in, or from somebody who has, works on descendants of that. Source of the idea:
// Wagner and Calder, "Leapfrogging: a portable technique for implementing efficient futures", PPoPP 1993.
// What others have it would only move to the overflow list, which has one lock.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "sched/growing_pause.hpp"
#include "sched/start_rule.hpp"
#include "sched/steal_order.hpp"
#include "sched/task_list.hpp"
#include "sync/deque.hpp"
#include "task/task.hpp"

namespace heddle {

class ReadySet {
 public:
  explicit ReadySet(int workers);

  /// Requires: task is ready; the caller is `worker`.
  /// Ensures:  ownership passes to the set; do not touch the task afterwards.
  /// Ordering: what happened before is visible to whoever takes the task.
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
  bool send(int worker, Task& task) {
    TaskList& mail = queues_[static_cast<std::size_t>(worker)]->mail;
    if (mail.size() >= kMostMail) return false;
    mail.insert(task);
    return true;
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

  /// The same of its mail, of the overflow list, and of what other workers have. `*left_some` becomes true
  /// where tasks were left.
  Task* take_elsewhere(int worker, int workers, StartRule rule, Reach reach, bool* moved, bool* left_some);

  /// One in the background: for a worker that found nothing else, and left nothing. The shared list
  /// comes first, then its own oldest, then another's.
  Task* take_background(int worker, int workers, StartRule rule, bool* moved);
  /// Those there before kBackground for which is_wanted(task) holds, linked by `next`, the last first: for
  /// who queues them otherwise.
  template <class IsWanted>
  Task* recall(IsWanted&& is_wanted) {
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

 private:
  struct alignas(kCacheLine) Queue {
    WorkStealingDeque<Task> deque;
    WorkStealingDeque<Task> background{16};  // its owner takes from the thieves' end as well
    TaskList mail;
    // Owner only.
    int last_victim = -1;                // who had work a moment ago probably still has; -1: nobody had
    std::vector<std::uint16_t> victims;  // in the order of looking; for these locations, and so many workers
    const std::vector<Location>* victims_by = nullptr;
    GrowingPause strays{kStrays, kMostStrays, false};
    // Whose children it stole last, and last when nothing constrained it: what it queues afterwards descends
    // from those. Others read it, and only compare the tasks.
    alignas(kCacheLine) std::atomic<const Task*> helps{nullptr};
    std::atomic<const Task*> helps_since_free{nullptr};
    std::atomic<int> victim_since_free{-1};
  };
  // Looks under a constraint, after which one takes what it finds of anybody.
  static constexpr std::uint32_t kStrays = 8, kMostStrays = 128;
  static constexpr std::uint32_t kMostMail = 256;

  [[gnu::cold]] Task* take_urgent_or_own(int worker, StartRule rule, bool* moved);
  bool helps(const Queue& victim, const Task& constraint, const Queue& own) const;
  static void note_stolen(Queue& own, const Task& task, StartRule rule);
  void order_victims(int worker, int workers);
  Task* take_mail(Queue& own, StartRule rule, bool* moved);
  Task* steal(Queue& own, Queue& victim, StartRule rule, Reach reach, bool* moved, int most);

  void push_background(Queue& own, Task& task) {
    own.background.push(&task);
    // Before a following look for sleepers, as in the deque; most teams never have any.
    if (!has_background_.load(std::memory_order_relaxed))
      has_background_.store(true, std::memory_order_seq_cst);
  }
  Task* take_oldest(Queue& queue, StartRule rule, bool* moved);

  TaskList& list_of(const Task& task) {
    return task.priority > 0 ? urgent_ : task.priority < 0 ? background_ : overflow_;
  }

  std::vector<std::unique_ptr<Queue>> queues_;
  // A slow worker may still read what is out of date, so it stays; there are few, since they recur.
  std::vector<std::unique_ptr<const std::vector<Location>>> all_locations_;
  std::atomic<const std::vector<Location>*> locations_{nullptr};
  TaskList urgent_;
  TaskList overflow_;
  TaskList background_;                      // what lags, and what the worker that found it may not start
  std::atomic<bool> has_background_{false};  // some worker has had one of its own
};

}  // namespace heddle
