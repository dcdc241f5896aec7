#include "simulate/engine/omp_rules.hpp"

#include <algorithm>

namespace heddle::simulate {
namespace {

constexpr std::size_t kQueue = 256;

}  // namespace

OmpRules::OmpRules(const Costs& costs, int workers)
    : costs_(costs), queues_(static_cast<std::size_t>(workers)) {}

RuntimeRules::Place OmpRules::place(const Creator& creator, bool /*was_entered*/) {
  const Queue& own = queues_[static_cast<std::size_t>(creator.worker.number)];
  // A team of one has no queues.
  return creator.team_size == 1 || own.tasks.size() >= kQueue ? Place::kInline : Place::kQueue;
}

std::size_t OmpRules::most_in_taskloop(int team_size) const {
  return std::min(10 * static_cast<std::size_t>(team_size), kQueue);
}

double OmpRules::push(const SimulatedWorker& worker, Task& task) {
  Queue& own = queues_[static_cast<std::size_t>(worker.number)];
  own.tasks.push_back(&task);
  return own.lock.use(worker, costs_.lock);
}

RuntimeRules::Found OmpRules::take(const SimulatedWorker& worker, StartRule rule, int team_size,
                                   Reach /*reach*/) {
  if (Task* const task = take_undeferred(worker)) return {task, costs_.take};
  Queue& own = queues_[static_cast<std::size_t>(worker.number)];
  if (!own.tasks.empty() && may_start(*own.tasks.back(), rule)) {
    Task* const task = own.tasks.back();
    own.tasks.pop_back();
    return {task, own.lock.use(worker, costs_.lock) + costs_.take};
  }
  const auto steal = [&](int victim, double asked) {
    Queue& of = queues_[static_cast<std::size_t>(victim)];
    Task* const task = take_oldest(of, rule);
    own.last_victim = task != nullptr ? victim : -1;
    return Found{task, asked + of.lock.use(worker, costs_.line) + costs_.steal, true};
  };
  if (own.last_victim >= 0) {
    const Found found = steal(own.last_victim, 0);
    if (found.task != nullptr) return found;
  }
  // Who finds nothing asks another, again and again: at some time the one that has a task. Each that has none
  // costs a look at its line.
  std::vector<int> others;
  for (int i = 0; i < team_size; ++i)
    if (i != worker.number) others.push_back(i);
  std::shuffle(others.begin(), others.end(), random_);
  double asked = 0;
  for (const int victim : others) {
    if (const Found found = steal(victim, asked); found.task != nullptr) return found;
    asked += costs_.line;
  }
  return {};
}

bool OmpRules::may_take(const SimulatedWorker& worker, const Task& task, StartRule rule) const {
  return SimulatedTask::of(task).is_undeferred ? awaits(worker, task) : may_start(task, rule);
}

Task* OmpRules::take_oldest(Queue& victim, StartRule rule) {
  const auto found =
      std::ranges::find_if(victim.tasks, [&](const Task* task) { return may_start(*task, rule); });
  if (found == victim.tasks.end()) return nullptr;
  Task* const task = *found;
  victim.tasks.erase(found);
  return task;
}

Task* OmpRules::take_undeferred(const SimulatedWorker& worker) {
  const auto found =
      std::ranges::find_if(undeferred_, [&](const Task* task) { return awaits(worker, *task); });
  if (found == undeferred_.end()) return nullptr;
  Task* const task = *found;
  undeferred_.erase(found);
  return task;
}

}  // namespace heddle::simulate
