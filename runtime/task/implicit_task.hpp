// Tasks that no construct creates: those of the threads of a region, and what libraries spawn.
#pragma once

#include "sys/fatal.hpp"
#include "task/task.hpp"

namespace heddle {

struct Member;
struct SpawnedTask;

struct ImplicitTask : Task {
  Member* place = nullptr;         // where it is executed
  SpawnedTask* spawned = nullptr;  // whose it is, where a library has spawned it
};

/// Requires: task.is_implicit().
inline ImplicitTask& implicit(Task& task) {
  HEDDLE_ASSERT(task.is_implicit());
  return static_cast<ImplicitTask&>(task);
}
inline const ImplicitTask& implicit(const Task& task) {
  HEDDLE_ASSERT(task.is_implicit());
  return static_cast<const ImplicitTask&>(task);
}

/// The implicit task that a task descends from, or is.
inline ImplicitTask& implicit_ancestor(Task& task) {
  Task* ancestor = &task;
  while (ancestor->parent != nullptr) ancestor = ancestor->parent;
  return implicit(*ancestor);
}

}  // namespace heddle
