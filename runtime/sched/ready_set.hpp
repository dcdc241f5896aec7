// The ready tasks of a team and the order in which its workers take them.
//
// Words: a worker is named by its number in the team; no thread is known here. A task that its finder may not
// start (start_rule.hpp) is *set aside* for others. One that another worker should run is *sent* to it, by
// way of its *mail*. Invariant: a ready task is in exactly one worker's deque or mail, or among the urgent,
// or in the background, or set aside.
//
// Order: urgent tasks (priority > 0, highest first); the worker's own youngest; its mail; what was set aside;
// another's oldest, of the nearest first; another's mail; in the background its shared list, the worker's
// own oldest, another's.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

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
  void set_aside(Task& task) { list_of(task).insert(task); }

  /// Takes a task that `worker` may start under `rule`: an urgent one or the youngest of
  /// its own. Returns nullptr where there is none.
  /// `*moved` becomes true where tasks were set aside on the way: another worker should look.
  Task* take_own(int worker, StartRule rule, bool* moved);

  /// Where the workers run from now on; empty: anywhere. Threads: the team's primary.
  /// Shape: one a worker.
  void locate(std::vector<Location> locations);

  /// The oldest of its own that it may start: for a worker that yields.
  Task* take_own_oldest(int worker, StartRule rule, bool* moved);

  /// The same of its mail, of what is set aside, and of what other workers have.
  /// A thorough look goes on behind tasks that the worker may not start. `*left_some` becomes true where
  /// tasks were left.
  Task* take_elsewhere(int worker, int workers, StartRule rule, bool is_thorough, bool* moved,
                       bool* left_some);

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
  };
  static constexpr std::uint32_t kMostMail = 256;

  [[gnu::cold]] Task* take_urgent_or_own(int worker, StartRule rule, bool* moved);
  void order_victims(int worker, int workers);
  Task* take_mail(Queue& own, StartRule rule, bool* moved);
  Task* steal(Queue& own, Queue& victim, StartRule rule, bool is_thorough, bool* moved,
              int most = WorkStealingDeque<Task>::kBatch);

  void push_background(Queue& own, Task& task) {
    own.background.push(&task);
    // Before a following look for sleepers, as in the deque; most teams never have any.
    if (!has_background_.load(std::memory_order_relaxed))
      has_background_.store(true, std::memory_order_seq_cst);
  }
  Task* take_oldest(Queue& queue, StartRule rule, bool* moved);

  TaskList& list_of(const Task& task) {
    return task.priority > 0 ? urgent_ : task.priority < 0 ? background_ : aside_;
  }

  std::vector<std::unique_ptr<Queue>> queues_;
  // A slow worker may still read what is out of date, so it stays; there are few, since they recur.
  std::vector<std::unique_ptr<const std::vector<Location>>> all_locations_;
  std::atomic<const std::vector<Location>*> locations_{nullptr};
  TaskList urgent_;
  TaskList aside_;
  TaskList background_;                      // what lags, and what the worker that found it may not start
  std::atomic<bool> has_background_{false};  // some worker has had one of its own
};

}  // namespace heddle
