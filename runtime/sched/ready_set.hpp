// The ready tasks of a team and the order in which its workers take them.
//
// Words: a worker is named by its number in the team; no thread is known here. The *constraint* of a worker
// is the tied task it has suspended: it may start only descendants of it, or untied tasks (OpenMP 5.2,
// section 12.9). A task that its finder may not start is *set aside* for others. Invariant: a ready task is
// in exactly one worker's deque, or among the urgent, or set aside.
//
// Order: urgent tasks (priority > 0, highest first); the worker's own youngest; what was set aside; another's
// oldest.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "sched/steal_patience.hpp"
#include "sched/task_list.hpp"
#include "sync/deque.hpp"
#include "task/task.hpp"

namespace heddle {

class ReadySet {
 public:
  /// clock: nanoseconds, for the patience of thieves; null: they have none.
  explicit ReadySet(int workers, std::int64_t (*clock)() = nullptr);

  /// Requires: task is ready; the caller is `worker`.
  /// Ensures:  ownership passes to the set; do not touch the task afterwards.
  /// Ordering: what happened before is visible to whoever takes the task.
  void push(int worker, Task& task) {
    if (task.priority > 0) [[unlikely]]
      urgent_.insert(task);
    else
      queues_[static_cast<std::size_t>(worker)]->deque.push(&task);
  }

  /// The same from a thread outside the team, or for a task that the caller may not run.
  void set_aside(Task& task) { (task.priority > 0 ? urgent_ : aside_).insert(task); }

  /// Takes a task that `worker` may start under `constraint` (null: any): an urgent one or the youngest of
  /// its own. Returns nullptr where there is none.
  /// `*moved` becomes true where tasks were set aside on the way: another worker should look.
  Task* take_own(int worker, const Task* constraint, bool* moved);

  /// The same of what is set aside and of the other workers' oldest.
  /// A patient thief may leave single tasks where they are for a moment.
  Task* take_elsewhere(int worker, int workers, const Task* constraint, bool is_patient, bool* moved);

  /// Whether `worker`, the caller, has at least `count` tasks queued.
  bool holds(int worker, std::int64_t count) {
    return queues_[static_cast<std::size_t>(worker)]->deque.holds(count);
  }
  bool has_urgent() const { return !urgent_.looks_empty(); }

 private:
  struct alignas(kCacheLine) Queue {
    WorkStealingDeque<Task> deque;
    // Owner only.
    int last_victim = 0;  // who had work a moment ago probably still has
    StealPatience patience;
  };

  Task* steal(Queue& own, Queue& victim, const Task* constraint, bool is_patient, bool* moved);

  std::int64_t (*clock_)();

  std::vector<std::unique_ptr<Queue>> queues_;
  TaskList urgent_;
  TaskList aside_;
};

inline bool may_start(const Task& task, const Task* constraint) {
  return constraint == nullptr || descends_from(task, *constraint);
}

}  // namespace heddle
