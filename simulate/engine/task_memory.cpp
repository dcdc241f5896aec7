#include "simulate/engine/task_memory.hpp"

#include <utility>

#include "runtime/deps/dependence_table.hpp"
#include "runtime/deps/exclusion.hpp"
#include "runtime/sched/home_table.hpp"
#include "runtime/task/task.hpp"

namespace heddle::simulate {
namespace {

AccessKind access_of(int type) {
  return type == kIn              ? AccessKind::kIn
         : type == kMutexInOutSet ? AccessKind::kMutexInOutSet
         : type == kInOutSet      ? AccessKind::kInOutSet
                                  : AccessKind::kOut;
}

void unnamed(Task& task, MemoryCache& /*cache*/) {
  SimulatedTask& whole = SimulatedTask::of(task);
  whole.is_free = true;
  TaskMemory::release(&whole);
}

void free_task(SimulatedTask* task) {
  task->before->after = task->after;
  task->after->before = task->before;
  delete task;
}

}  // namespace

TaskMemory::~TaskMemory() {
  // Of a simulation that did not end tasks are left; what they waited by is part of the cache.
  while (all_.after != &all_) {
    delete all_.after->table;
    free_task(all_.after);
  }
}

SimulatedTask& TaskMemory::make(SimulatedTask& parent, const TaskText& text) {
  auto* const task = new SimulatedTask(parent, text.is_untied ? unsigned{Task::kUntied} : 0U);
  task->text = &text;
  task->kind = text.kind;
  task->before = all_.before;
  task->after = &all_;
  all_.before = all_.before->after = task;
  ++parent.memory_children;
  return *task;
}

bool TaskMemory::enter(SimulatedTask& parent, SimulatedTask& task) {
  dependences_.clear();
  for (const DependenceOn& on : task.text->dependences)
    dependences_.push_back(
        {reinterpret_cast<void*>(64 * (on.address + 1)), access_of(on.type), on.type >= kAllMemory});
  task.task.slot = HomeTable::slot_of(dependences_);
  if (parent.table == nullptr) parent.table = new DependenceTable(unnamed);
  const std::uint32_t edges = parent.table->add(task.task, dependences_, cache_);
  return arm(task.task, edges) &&
         ((task.task.flags & Task::kHasExclusions) == 0 || collect_exclusions(task.task));
}

void TaskMemory::forget_table(SimulatedTask& task) {
  if (task.table == nullptr) return;
  task.table->clear(cache_);
  delete std::exchange(task.table, nullptr);
}

void TaskMemory::release_edges(SimulatedTask& task) {
  if ((task.task.flags & Task::kHasExtensions) != 0) release_extensions(task.task, cache_);
}

void TaskMemory::release(SimulatedTask* task) {
  while (task != nullptr && task->parent != nullptr && task->is_complete && task->is_free &&
         task->memory_children == 0) {
    SimulatedTask* const parent = task->parent;
    --parent->memory_children;
    free_task(task);
    task = parent;
  }
}

}  // namespace heddle::simulate
