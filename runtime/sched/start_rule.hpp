// Which tasks a worker may start at a scheduling point.
//
// Words: the *constraint* of a worker is the tied task it has suspended: it may start only descendants of it
// (OpenMP 5.2, section 12.9). A worker that waits for latency starts only what is *wanted*: the tasks that it
// waits for, and those that they may wait for.
#pragma once

#include <cstdint>

#include "task/task.hpp"

namespace heddle {

/// What a wait for latency is for: the children of a task, or the tasks of a group. One of the two is null.
struct Wanted {
  const Task* parent = nullptr;
  const TaskGroup* group = nullptr;
};

struct StartRule {
  const Task* constraint = nullptr;  // null: any
  const Wanted* wanted = nullptr;    // null: any
};

/// Whether no explicit task constrains the worker: mostly one implicit task has all tasks of its team.
inline bool is_free(StartRule rule) {
  return rule.constraint == nullptr || rule.constraint->is_implicit();
}

/// How far a look goes where a worker finds tasks that it may not start.
enum class Reach : std::uint8_t {
  kStartable,  // they stay where they are, as far as it knows which they are
  kFirst,      // one of each queue goes to the shared overflow list, or all of an inbox
  kAll,        // all of them do, until it finds one that it may start
};

inline bool is_wanted(const Task& task, const Wanted& wanted) {
  if (wanted.group != nullptr) {
    const TaskGroup* group = task.group;
    while (group != nullptr && group != wanted.group) group = group->outer;
    return group != nullptr;
  }
  // A descendant is, while the child that it descends from is incomplete.
  const Task* t = &task;
  while (t->parent != nullptr && t->parent != wanted.parent) t = t->parent;
  return t->parent != nullptr && !t->is_complete();
}

/// Requires: task is ready and not started, and so are its ancestors in memory.
inline bool may_start(const Task& task, StartRule rule) {
  // Of a task that was started out of turn only the entry is left: the thread that finds it drops it.
  if ((task.flags & Task::kHasHandle) != 0 && task.status.is_claimed()) return true;
  if (rule.constraint != nullptr && !descends_from(task, *rule.constraint)) return false;
  return rule.wanted == nullptr || is_wanted(task, *rule.wanted);
}

}  // namespace heddle
