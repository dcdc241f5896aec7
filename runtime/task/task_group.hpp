// A taskgroup region: counts the tasks created in it, descendants included (OpenMP 5.2, section 15.4).
#pragma once

#include <atomic>

#include "task/wait_count.hpp"

namespace heddle {

struct TaskGroup {
  explicit TaskGroup(TaskGroup* enclosing) : outer(enclosing) {}
  TaskGroup* const outer;
  WaitCount outstanding;
  std::atomic<bool> is_cancelled{false};
  void* reductions =
      nullptr;  // descriptors of task_reduction clauses; their form belongs to the compiler's ABI
};

}  // namespace heddle
