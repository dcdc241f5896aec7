// Tasks that no construct creates: those of the threads of a region, and what libraries spawn.
#pragma once

#include "sys/fatal.hpp"
#include "task/task.hpp"
#include "trace/tool.hpp"

namespace heddle {

struct Member;
struct SpawnedTask;

struct ImplicitTask : Task {
  Member* place = nullptr;         // where it is executed
  SpawnedTask* spawned = nullptr;  // whose it is, where a library has spawned it
  ToolTask tool;                   // of use while a tool is active
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

/// What a tool keeps of a task: of an explicit one behind everything else. Requires: a tool is active, and
/// the task was made since.
inline ToolTask& tool_task(Task& task) {
  if (task.is_implicit()) return implicit(task).tool;
  return *reinterpret_cast<ToolTask*>(reinterpret_cast<char*>(&task) + task.bytes - sizeof(ToolTask));
}

/// The implicit task that a task descends from, or is.
inline ImplicitTask& implicit_ancestor(Task& task) {
  Task* ancestor = &task;
  while (ancestor->parent != nullptr) ancestor = ancestor->parent;
  return implicit(*ancestor);
}

}  // namespace heddle
