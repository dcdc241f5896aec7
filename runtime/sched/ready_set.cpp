#include "sched/ready_set.hpp"

namespace heddle {

ReadySet::ReadySet(int workers) {
  queues_.reserve(static_cast<std::size_t>(workers));
  for (int i = 0; i < workers; ++i) queues_.push_back(std::make_unique<Queue>());
}

Task* ReadySet::take_own(int worker, const Task* constraint, bool* moved) {
  const auto allowed = [constraint](const Task& task) { return may_start(task, constraint); };
  if (Task* task = urgent_.take(allowed)) return task;

  Queue& own = *queues_[static_cast<std::size_t>(worker)];
  while (Task* task = own.deque.pop()) {
    if (allowed(*task)) return task;
    aside_.insert(*task);
    *moved = true;
  }
  return nullptr;
}

Task* ReadySet::take_elsewhere(int worker, int workers, const Task* constraint, bool* moved) {
  const auto allowed = [constraint](const Task& task) { return may_start(task, constraint); };
  Queue& own = *queues_[static_cast<std::size_t>(worker)];
  if (Task* task = aside_.take(allowed)) return task;

  int victim = own.last_victim;
  for (int tried = 0; tried < workers; ++tried, ++victim) {
    if (victim >= workers) victim = 0;
    if (victim == worker) continue;
    WorkStealingDeque<Task>& deque = queues_[static_cast<std::size_t>(victim)]->deque;
    while (!deque.looks_empty()) {
      Task* tasks[WorkStealingDeque<Task>::kBatch];
      const int count = deque.steal(tasks);
      if (count == 0) continue;  // another was faster; look again
      own.last_victim = victim;
      // What comes with the first is queued here, where its constraint is looked at when its turn comes.
      for (int i = count - 1; i > 0; --i) {
        tasks[i]->prefetch();
        own.deque.push(tasks[i]);
      }
      if (count > 1) *moved = true;
      if (allowed(*tasks[0])) return tasks[0];
      aside_.insert(*tasks[0]);
      *moved = true;
    }
  }
  return nullptr;
}

}  // namespace heddle
