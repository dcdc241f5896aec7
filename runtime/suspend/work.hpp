// What is done with tasks where contexts are left and gone on in: the room above does it.
#pragma once

#include "task/implicit_task.hpp"
#include "task/task.hpp"
#include "team/suspended.hpp"

namespace heddle {

struct Member;

struct Work {
  /// Announces completions that the member has gathered.
  void (*announce)(Member& me);
  /// The current task is about to wait: what it has kept for itself is others' to execute.
  void (*before_wait)(Member& me);
  /// At the base of a stack: executes tasks until a suspended one may go on.
  void (*until_next)(Member& me);
  /// At the base of a stack: executes a task that was taken from the queues for it.
  void (*execute)(Member& me, Task& task);
  /// Ends one that was executed at its creation; is_counted: as a child of its parent, already.
  void (*end_created)(Member& me, Task& task, bool is_counted);
  /// There is no stack to leave `self` for: executes `first`, if there is one, and others on top of it, until
  /// it may go on or some context of the place may.
  void (*in_place)(Member& me, Suspension& self, Task* first);
  /// Queues a task that was taken.
  void (*put_off)(Member& me, Task& task);
  /// Counts a task that nobody did at its creation, before its parent goes on.
  void (*count_late)(Member& me, Task& task);
  /// Waits for all that a spawned task has created.
  void (*wait_for_descendants)(Member& me, ImplicitTask& task, TaskGroup& descendants);
  /// A task that the place may start, or nullptr.
  Task* (*find)(Member& place);
};

inline constinit Work g_work{};

/// Once, before the first thread is a worker.
inline void give_work(const Work& work) {
  g_work = work;
}
inline const Work& work() {
  return g_work;
}

}  // namespace heddle
