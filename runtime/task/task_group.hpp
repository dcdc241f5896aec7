// A taskgroup region: counts the tasks created in it, descendants included (OpenMP 5.2, section 15.4).
#pragma once

#include <atomic>

#include "task/wait_count.hpp"

namespace heddle {

struct Suspension;

struct TaskGroup {
  /// counts_too: a group that its tasks count in as well, since nobody waits for this one before that one
  /// ends; or null.
  explicit TaskGroup(TaskGroup* enclosing, TaskGroup* counts_too = nullptr)
      : outer(enclosing), also(counts_too) {}
  TaskGroup* const outer;
  TaskGroup* const also;
  WaitCount outstanding;
  Suspension* waiter = nullptr;  // who waits for its end, having left its thread
  bool is_of_construct = false;  // made by a construct with reduction(task, ...): no taskgroup of the program
  std::atomic<bool> is_cancelled{false};
  void* reductions =
      nullptr;  // descriptors of task_reduction clauses; their form belongs to the compiler's ABI
};

}  // namespace heddle
