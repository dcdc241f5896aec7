#include "sched/ready_set.hpp"

namespace heddle {

ReadySet::ReadySet(int workers, std::int64_t (*clock)()) : clock_(clock) {
  queues_.reserve(static_cast<std::size_t>(workers));
  for (int i = 0; i < workers; ++i) queues_.push_back(std::make_unique<Queue>());
}

Task* ReadySet::take_own(int worker, StartRule rule, bool* moved) {
  if (urgent_.looks_empty()) [[likely]] {
    Task* const task = queues_[static_cast<std::size_t>(worker)]->deque.pop();
    if (task == nullptr || may_start(*task, rule)) [[likely]]
      return task;
    set_aside(*task);
    *moved = true;
  }
  return take_urgent_or_own(worker, rule, moved);
}

Task* ReadySet::take_urgent_or_own(int worker, StartRule rule, bool* moved) {
  const auto allowed = [rule](const Task& task) { return may_start(task, rule); };
  if (Task* task = urgent_.take(allowed)) return task;

  Queue& own = *queues_[static_cast<std::size_t>(worker)];
  while (Task* task = own.deque.pop()) {
    if (allowed(*task)) return task;
    set_aside(*task);
    *moved = true;
  }
  return nullptr;
}

Task* ReadySet::take_own_oldest(int worker, StartRule rule, bool* moved) {
  Queue& own = *queues_[static_cast<std::size_t>(worker)];
  return steal(own, own, rule, false, moved);
}

Task* ReadySet::take_elsewhere(int worker, int workers, StartRule rule, bool is_patient, bool* moved,
                               bool* left_some) {
  const auto allowed = [rule](const Task& task) { return may_start(task, rule); };
  Queue& own = *queues_[static_cast<std::size_t>(worker)];
  if (Task* task = aside_.take(allowed)) return task;
  int victim = own.last_victim;
  for (int tried = 0; tried < workers; ++tried, ++victim) {
    if (victim >= workers) victim = 0;
    if (victim == worker) continue;
    Queue& other = *queues_[static_cast<std::size_t>(victim)];
    if (other.deque.looks_empty()) continue;
    own.last_victim = victim;
    if (Task* task = steal(own, other, rule, is_patient, moved)) return task;
    *left_some = true;
  }
  return nullptr;
}

Task* ReadySet::take_background(StartRule rule) {
  return background_.take([rule](const Task& task) { return may_start(task, rule); });
}

Task* ReadySet::steal(Queue& own, Queue& victim, StartRule rule, bool is_patient, bool* moved) {
  while (!victim.deque.looks_empty()) {
    if (is_patient && clock_ != nullptr && !victim.deque.is_long() && !own.patience.allows(clock_()))
      return nullptr;
    Task* tasks[WorkStealingDeque<Task>::kBatch];
    const int count = victim.deque.steal(tasks);
    if (count == 0) continue;  // another was faster; look again
    if (clock_ != nullptr) own.patience.stole(clock_());
    // What comes with the first is queued here, where its constraint is looked at when its turn comes.
    for (int i = count - 1; i > 0; --i) {
      tasks[i]->prefetch();
      own.deque.push(tasks[i]);
    }
    if (count > 1) *moved = true;
    if (may_start(*tasks[0], rule)) return tasks[0];
    set_aside(*tasks[0]);
    *moved = true;
    if (is_patient) return nullptr;  // what comes next is hardly better; the last look goes through it all
  }
  return nullptr;
}

}  // namespace heddle
