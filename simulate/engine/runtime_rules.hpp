// What a runtime does with tasks: what becomes of one that is created, where ready ones stand, and who takes
// which. Rules of each runtime are a class of their own; what threads do otherwise is the same for all.
#pragma once

#include <cstdint>
#include <limits>
#include <utility>

#include "runtime/sched/start_rule.hpp"
#include "simulate/engine/setting.hpp"
#include "simulate/engine/simulated_task.hpp"
#include "simulate/engine/worker.hpp"

namespace heddle::simulate {

/// Who creates a task, which is not counted yet where it is asked what becomes of it.
struct Creator {
  SimulatedWorker& worker;
  int team_size;
  std::int64_t outstanding;  // the process' tasks that are not complete

  [[nodiscard]] const SimulatedTask& task() const { return *worker.frames.back().task; }
};

/// The lock of a queue: it costs something to come to whom it was not with last, and one thread comes after
/// another.
class QueueLock {
 public:
  /// Returns how long the worker waits until it has done with it, ns. takes: beside what it takes without
  /// others.
  double use(const SimulatedWorker& worker, double takes) {
    const bool is_here = std::exchange(last_, worker.number) == worker.number;
    return to_ns(line_.use(is_here ? 0 : from_ns(takes)) - SimulatedClock::present);
  }

 private:
  SharedLine line_;
  int last_ = -1;
};

/// Whether the worker waits for this undeferred task, which it has created.
inline bool awaits(const SimulatedWorker& worker, const Task& task) {
  const Frame& frame = worker.frames.back();
  return frame.waits == Waits::kUndeferred && frame.task == SimulatedTask::of(task).parent;
}

class RuntimeRules {
 public:
  enum class Place : std::uint8_t { kQueue, kInline, kSerial };
  /// cost: of the search, ns. overflowed: it left tasks that the worker may not start on a list for all.
  /// leaves_some: queued tasks are left, another worker is worth being roused.
  struct Found {
    Task* task = nullptr;
    double cost = 0;
    bool was_stolen = false, overflowed = false, leaves_some = false;
    bool may_have_missed = false;  // a thorough look may find what this one left
  };

  RuntimeRules() = default;
  RuntimeRules(const RuntimeRules&) = delete;
  RuntimeRules& operator=(const RuntimeRules&) = delete;
  virtual ~RuntimeRules() = default;

  /// Whether a creator executes so many new tasks itself, each before it goes on, whatever they wait for.
  [[nodiscard]] virtual bool is_undeferred(const Creator& /*creator*/, std::size_t /*tasks*/) const {
    return false;
  }
  /// Whether a new task with dependences is executed at once, since none of its siblings is left.
  virtual bool needs_no_table(const Creator& /*creator*/) { return false; }
  /// Of a new task that waits for nobody. was_entered: it has dependences.
  virtual Place place(const Creator& /*creator*/, bool /*was_entered*/) { return Place::kQueue; }
  /// What the creator does when the task has been queued.
  virtual Next published(const Creator& /*creator*/) { return Next::kGoOn; }
  /// Taskloops of more tasks than that are halved, and the halves are tasks that create.
  [[nodiscard]] virtual std::size_t most_in_taskloop(int /*team_size*/) const {
    return std::numeric_limits<std::size_t>::max();
  }
  /// Whether the chunks of taskloops are no tasks, but executed in ranges that threads share.
  [[nodiscard]] virtual bool hands_out_ranges() const { return false; }
  /// Whether the worker's own queue holds a task. Called where ranges are handed out.
  virtual bool has_queued(const SimulatedWorker& /*worker*/) { return false; }

  /// Whether it knows background tasks; else they are as others.
  [[nodiscard]] virtual bool has_background() const { return false; }

  /// The number of the worker that has a task's data at hand; -1 where none is known.
  [[nodiscard]] virtual int home_of(const Task& /*task*/) const { return -1; }
  /// Queues a task without priority that is ready for that worker. Returns whether there is room.
  virtual bool post(int /*worker*/, Task& /*task*/) { return false; }
  /// The worker begins a task of the program; one has ended, so many ns later.
  virtual void begins(const SimulatedWorker& /*worker*/, const Task& /*task*/) {}
  virtual void ends(const SimulatedWorker& /*worker*/, std::int64_t /*length*/) {}

  /// Queues a task that is ready. Returns what that costs the caller beside Costs::create, ns.
  virtual double push(const SimulatedWorker& worker, Task& task) = 0;
  /// Queues one that its creator waits for, and executes.
  virtual void push_undeferred(Task& task) = 0;
  /// A task for a worker that may start it under the rule.
  virtual Found take(const SimulatedWorker& worker, StartRule rule, int team_size, Reach reach) = 0;
  /// Whether the worker is worth being roused for this task.
  [[nodiscard]] virtual bool may_take(const SimulatedWorker& /*worker*/, const Task& /*task*/,
                                      StartRule /*rule*/) const {
    return true;
  }
  /// Whether who completes a task goes on with one that waited for it.
  [[nodiscard]] virtual bool takes_successors() const { return false; }
  /// What it costs to complete a task beside Costs::complete, ns.
  virtual double complete(const SimulatedWorker& /*worker*/) { return 0; }
};

}  // namespace heddle::simulate
