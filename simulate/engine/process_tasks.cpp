// How a process' tasks are created and completed.
#include <utility>

#include "runtime/deps/dependence_table.hpp"
#include "runtime/deps/exclusion.hpp"
#include "runtime/sched/limits.hpp"
#include "runtime/sched/throttle.hpp"
#include "simulate/engine/process.hpp"

namespace heddle::simulate {

void Process::create(SimulatedWorker& worker, const TaskText& text, TaskloopPart part) {
  const bool is_part = part.script != nullptr;  // no task of the program
  const bool has_dependences = !text.dependences.empty();
  const Creator creator{worker, size_, outstanding_};
  const bool is_undeferred = text.is_undeferred || worker.frames.back().cursors.back().is_undeferred ||
                             (!is_part && rules_->is_undeferred(creator, 1));
  // A task that may return before it is complete has to be known to who depends on it.
  const bool is_background = text.is_background && rules_->has_background();
  const bool needs_table = has_dependences && (is_background || !rules_->needs_no_table(creator) || binds_);
  const auto place_of = [&](bool was_entered) {
    return is_background ? RuntimeRules::Place::kQueue : rules_->place(creator, was_entered);
  };
  RuntimeRules::Place place = has_dependences ? RuntimeRules::Place::kInline : place_of(false);

  SimulatedTask& parent = *worker.frames.back().task;
  SimulatedTask& task = add(worker, parent, text, std::move(part));
  task.is_undeferred = is_undeferred;
  if (is_background) task.task.priority = Task::kBackground;
  if (!is_part) ++outcome_.tasks;
  double cost = costs_.dependence * static_cast<double>(text.dependences.size());
  if (needs_table) {
    if (memory_.enter(parent, task)) {
      place = place_of(true);
    } else if (is_undeferred) {
      // Its creator waits for it, and executes others meanwhile.
      ++parent.undeferred;
      return wait(worker, Waits::kUndeferred);
    } else {
      return publish(worker, cost + costs_.create);
    }
  }
  if (is_undeferred || place != RuntimeRules::Place::kQueue)
    return execute_inline(worker, task, cost, place == RuntimeRules::Place::kSerial);
  cost += costs_.create + make_ready(worker, task.task);
  publish(worker, cost);
}

SimulatedTask& Process::add(const SimulatedWorker& worker, SimulatedTask& parent, const TaskText& text,
                            TaskloopPart part) {
  SimulatedTask& task = memory_.make(parent, text);
  task.part = std::move(part);
  record_task(worker, task, parent.number);
  ++outstanding_;
  ++parent.children;
  for (SimulatedTask* above = &parent; above != nullptr; above = above->parent) ++above->descendants;
  return task;
}

void Process::publish(SimulatedWorker& worker, double cost) {
  switch (rules_->published({worker, size_, outstanding_})) {
    case Next::kGoOn:
      break;
    case Next::kHelp:
      if (worker.inline_depth < limits::kDeepestInline) {
        ++worker.inline_depth;
        worker.frames.back().until = many_children(Throttle{}.tasks, size_) / 2;
        worker.frames.back().waits = Waits::kHelps;
      }
      break;
    case Next::kTrySerialCreation:
      if (!short_tasks_.are_short()) {
        worker.policy.serial_creation.stay();
      } else {
        ++worker.inline_depth;
        worker.frames.back().waits = Waits::kToCreateSerially;
        worker.frames.back().until = SimulatedClock::present + from_ns(limits::kMostPatienceUs * 1e3);
        worker.frames.back().idle_until = 0;
        worker.frames.back().task->waiter = &worker;
      }
      break;
  }
  spend(worker, cost);
}

void Process::execute_inline(SimulatedWorker& worker, SimulatedTask& task, double cost, bool is_serial) {
  ++outcome_.executed_inline;
  ++worker.inline_depth;
  if (is_serial) worker.policy.serial_creation.begins();
  Cutoff& cutoff = worker.policy.cutoff;
  const auto since = static_cast<std::int64_t>(cutoff.executed());
  const bool is_due = size_ > 1 && cutoff.is_due();
  begin(worker, task, true);
  if (is_due) worker.frames.back().sampled_since = since;
  spend(worker, cost + costs_.create_inline);
}

void Process::end(SimulatedWorker& worker) {
  const Frame frame = std::move(worker.frames.back());
  worker.frames.pop_back();
  SimulatedTask& task = *frame.task;
  if (task.text == nullptr) return end_implicit(worker, task);
  worker.policy.serial_creation.forget_creator(task.task);
  const double length = to_ns(SimulatedClock::present - frame.began);
  if (task.memory_children == 0) short_tasks_.judge(static_cast<std::int64_t>(length));
  rules_->ends(worker, static_cast<std::int64_t>(length));
  if (frame.is_inline) {
    --worker.inline_depth;
    if (worker.policy.serial_creation.is(&task.parent->task)) worker.policy.serial_creation.executed();
    if (frame.sampled_since >= 0)
      worker.policy.cutoff.judge(static_cast<std::int64_t>(length),
                                 static_cast<std::uint64_t>(frame.sampled_since));
  }
  memory_.forget_table(task);
  double cost = costs_.complete + rules_->complete(worker) + poll(worker);
  if (task.messages > 0) {
    task.has_returned = true;
    return spend(worker, cost);
  }
  SimulatedTask* const next = complete(worker, task, &cost);
  if (next != nullptr) begin(worker, *next, false);
  spend(worker, cost);
}

SimulatedTask* Process::complete(SimulatedWorker& worker, SimulatedTask& task, double* cost) {
  if ((task.task.flags & Task::kHasExclusions) != 0)
    return_exclusions(task.task, [&](Task& ready) { *cost += make_ready(worker, ready); });
  SimulatedTask* next = nullptr;
  bool is_free = true;
  if ((task.task.flags & Task::kInTable) != 0) {
    const auto closed = task.task.successors.close(SuccessorList<>::Closing::kLeaves);
    is_free = closed.was_abandoned;
    const auto released = [&](Task& successor) {
      *cost += costs_.release;
      SimulatedTask& it = SimulatedTask::of(successor);
      if (timeline_ != nullptr) timeline_->edges.push_back({task.number, it.number});
      if (!release_one(successor)) return;
      if (it.is_undeferred) {
        rules_->push_undeferred(successor);
        if (it.parent->waiter != nullptr) *cost += rouse(*it.parent->waiter);
        return;
      }
      if ((successor.flags & Task::kHasExclusions) != 0 && !collect_exclusions(successor)) return;
      const bool may_follow = rules_->takes_successors() && successor.priority == 0 &&
                              !worker.frames.empty() && may_execute(worker) &&
                              home_of(worker, successor) == worker.number &&
                              may_start(successor, rule_of(worker));
      if (!may_follow) {
        *cost += make_ready(worker, successor);
        return;
      }
      if (next != nullptr) *cost += make_ready(worker, next->task);
      next = &it;
    };
    for (const Edge* edge = closed.edges; edge != nullptr;) {
      Task& successor = *edge->successor;
      edge = edge->next;
      released(successor);
    }
    for (std::uint32_t i = closed.directs; i > 0; --i) released(*closed.direct[i - 1]);
  }
  memory_.release_edges(task);
  SimulatedTask& parent = *task.parent;
  if (parent.worker != worker.number)
    *cost += to_ns(parent.line.use(from_ns(costs_.line)) - SimulatedClock::present);
  --parent.children;
  if (task.is_undeferred && parent.undeferred > 0) --parent.undeferred;
  for (SimulatedTask* above = &parent; above != nullptr; above = above->parent) {
    --above->descendants;
    SimulatedWorker* const waiter = above->waiter;
    if (waiter == nullptr || waiter->frames.empty()) continue;
    // Where it executes another meanwhile it looks when that has ended.
    const Frame& top = waiter->frames.back();
    if (top.task == above && is_over(*waiter, top)) *cost += rouse(*waiter);
  }
  --outstanding_;
  task.is_complete = true;
  task.is_free = task.is_free || is_free;
  TaskMemory::release(&task);
  pass_barrier();
  return next;
}

}  // namespace heddle::simulate
