// The event of a detachable task in a recorded region.
//
// The program gets its handle when the task is recorded, keeps it in variables that other tasks capture, and
// uses it in every execution of the record: so it stands for whichever Task executes the node at the time.
#pragma once

#include <atomic>
#include <cstdint>

#include "task/task.hpp"

namespace heddle {

/// Task: heddle::Task, or in tests of executions another that has its status.
template <class Task, template <class> class Atomic = std::atomic>
class BasicGraphEvent {
 public:
  /// What the program gets. The address of a Task is even.
  void* handle() { return reinterpret_cast<char*>(this) + kMark; }
  /// nullptr where the handle is a Task's own.
  static BasicGraphEvent* of_handle(void* handle) {
    const auto word = reinterpret_cast<std::uintptr_t>(handle);
    return (word & kMark) != 0 ? reinterpret_cast<BasicGraphEvent*>(word - kMark) : nullptr;
  }

  /// Takes the task to be fulfilled. nullptr where there is none yet, which will begin as fulfilled; what
  /// was_fulfilled() where it has been taken.
  Task* fulfilled() {
    Task* task = task_.load(std::memory_order_relaxed);
    // acquire, release: with begin(), whichever comes first
    while (!was_fulfilled(task) &&
           !task_.compare_exchange_weak(task, task == nullptr ? early() : over(), std::memory_order_acq_rel,
                                        std::memory_order_relaxed))
      continue;
    return task;
  }
  bool was_fulfilled(const Task* task) { return task == early() || task == over(); }

  /// An execution of the record begins, in which there is no task yet. Requires: nobody executes it.
  void expect() {
    if (task_.load(std::memory_order_relaxed) != early()) task_.store(nullptr, std::memory_order_relaxed);
  }
  /// The node will be executed by `task`, which is new.
  void begin(Task& task) {
    Task* before = task_.load(std::memory_order_relaxed);
    // acquire, release: with fulfilled(), whichever comes first
    while (!task_.compare_exchange_weak(before, before == early() ? over() : &task, std::memory_order_acq_rel,
                                        std::memory_order_relaxed))
      continue;
    if (before == early()) task.status.fulfill_early();
  }

 private:
  static constexpr std::uintptr_t kMark = 1;
  // No Task lies here.
  Task* early() { return reinterpret_cast<Task*>(this); }
  Task* over() { return reinterpret_cast<Task*>(reinterpret_cast<char*>(this) + 2 * kMark); }

  Atomic<Task*> task_{nullptr};
};

using GraphEvent = BasicGraphEvent<Task>;

}  // namespace heddle
