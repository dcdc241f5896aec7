// The dependence tables of simulated tasks, and how long tasks stay in memory.
//
// Invariant: a task is freed when it is complete, no dependence table knows it, and no child of it is in
// memory.
#pragma once

#include <vector>

#include "runtime/deps/access.hpp"
#include "runtime/mem/cache.hpp"
#include "simulate/engine/simulated_task.hpp"

namespace heddle::simulate {

class TaskMemory {
 public:
  TaskMemory() { all_.before = all_.after = &all_; }
  ~TaskMemory();
  TaskMemory(const TaskMemory&) = delete;
  TaskMemory& operator=(const TaskMemory&) = delete;

  SimulatedTask& make(SimulatedTask& parent, const TaskText& text);
  /// Enters a new task among its siblings. Returns whether it waits for nobody.
  bool enter(SimulatedTask& parent, SimulatedTask& task);
  /// Those of its children. Requires: it is complete.
  void forget_table(SimulatedTask& task);
  /// What the task was made to wait by. Requires: it is complete.
  void release_edges(SimulatedTask& task);
  /// Frees it if nobody needs it any more, and its ancestors that only it kept.
  static void release(SimulatedTask* task);

 private:
  SimulatedTask all_;  // the ring's begin and end
  MemoryCache cache_;
  std::vector<Dependence> dependences_;
};

}  // namespace heddle::simulate
