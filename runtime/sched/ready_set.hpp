// The ready tasks of a team and the order in which its workers take them.
//
// Words: a worker is named by its number in the team; no thread is known here. A task that its finder may not
// start (start_rule.hpp) is *set aside* for others. Invariant: a ready task is in exactly one worker's deque,
// or among the urgent, or in the background, or set aside.
//
// Order: urgent tasks (priority > 0, highest first); the worker's own youngest; what was set aside; another's
// oldest; the oldest in the background.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "sched/start_rule.hpp"
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
    if (task.priority != 0) [[unlikely]]
      list_of(task).insert(task);
    else
      queues_[static_cast<std::size_t>(worker)]->deque.push(&task);
  }

  /// The same from a thread outside the team, or for a task that the caller may not run.
  void set_aside(Task& task) { list_of(task).insert(task); }

  /// Takes a task that `worker` may start under `rule`: an urgent one or the youngest of
  /// its own. Returns nullptr where there is none.
  /// `*moved` becomes true where tasks were set aside on the way: another worker should look.
  Task* take_own(int worker, StartRule rule, bool* moved);

  /// The oldest of its own that it may start: for a worker that yields.
  Task* take_own_oldest(int worker, StartRule rule, bool* moved);

  /// The same of what is set aside and of the other workers' oldest.
  /// A patient thief may leave single tasks where they are for a moment; then `*left_some` becomes true.
  Task* take_elsewhere(int worker, int workers, StartRule rule, bool is_patient, bool* moved,
                       bool* left_some);

  /// The oldest in the background: for a worker that found nothing else, and left nothing.
  Task* take_background(StartRule rule);

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

  [[gnu::cold]] Task* take_urgent_or_own(int worker, StartRule rule, bool* moved);
  Task* steal(Queue& own, Queue& victim, StartRule rule, bool is_patient, bool* moved);

  TaskList& list_of(const Task& task) {
    return task.priority > 0 ? urgent_ : task.priority < 0 ? background_ : aside_;
  }

  std::int64_t (*clock_)();

  std::vector<std::unique_ptr<Queue>> queues_;
  TaskList urgent_;
  TaskList aside_;
  TaskList background_;
};

}  // namespace heddle
