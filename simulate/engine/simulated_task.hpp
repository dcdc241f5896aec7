// A task that is executed in simulated time: the runtime's own task, and how far its script has come.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "runtime/task/task.hpp"
#include "simulate/time/clock.hpp"
#include "simulate/workload/workload.hpp"

namespace heddle {
class DependenceTable;
}

namespace heddle::simulate {

struct SimulatedWorker;

/// Of a taskloop's script, where a task creates or executes but a part of it.
struct TaskloopPart {
  const Script* script = nullptr;
  std::size_t begin = 0, end = 0;
  /// Of a range, which executes its part: the loop's newest guess of how many chunks a thread keeps for
  /// itself. Null: the part's tasks are created.
  std::shared_ptr<std::size_t> batch;
};

struct SimulatedTask {
  Task task;                       // its data: this
  const TaskText* text = nullptr;  // null: implicit
  TaskloopPart part;               // of most tasks none
  int kind = 0;
  std::int64_t number = -1;  // in the timeline, where that is wanted
  SimulatedTask* parent = nullptr;
  std::int64_t children = 0, descendants = 0;  // not complete
  int undeferred = 0;                          // of the children
  bool is_undeferred = false;
  int worker = -1;                            // who executes it
  SimulatedWorker* waiter = nullptr;          // waits in it for children or descendants
  int messages = 0;                           // that it completes with, and that are not complete
  bool has_returned = false;                  // waits for those alone
  bool is_complete = false, is_free = false;  // free: no dependence table knows it
  std::int64_t memory_children = 0;           // that are still in memory
  DependenceTable* table = nullptr;
  SharedLine line;                                    // of its count of children
  SimulatedTask *before = nullptr, *after = nullptr;  // of all that are in memory

  SimulatedTask() { task.as<SimulatedTask*>() = this; }
  SimulatedTask(const SimulatedTask&) = delete;
  SimulatedTask& operator=(const SimulatedTask&) = delete;
  SimulatedTask(SimulatedTask& parent_task, unsigned flags)
      : task(parent_task.task, nullptr, sizeof(Task), flags), parent(&parent_task) {
    task.as<SimulatedTask*>() = this;
  }
  static SimulatedTask& of(const Task& task) { return *task.as<SimulatedTask*>(); }
};

}  // namespace heddle::simulate
