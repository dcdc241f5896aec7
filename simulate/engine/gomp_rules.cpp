#include "simulate/engine/gomp_rules.hpp"

#include <algorithm>
#include <ranges>

namespace heddle::simulate {

bool GompRules::is_undeferred(const Creator& creator, std::size_t tasks) const {
  constexpr std::int64_t kTasksAThread = 64;
  // One task is compared before it is counted, those of a taskloop with it.
  const auto more = static_cast<std::int64_t>(tasks > 1 ? tasks : 0);
  return creator.outstanding + more > kTasksAThread * creator.team_size;
}

double GompRules::push(const SimulatedWorker& worker, Task& task) {
  insert(task);
  return lock_.use(worker, costs_.lock);
}

void GompRules::push_undeferred(Task& task) {
  insert(task);
}

void GompRules::insert(Task& task) {
  places_[&task] = all_.insert(all_.end(), &task);
  children_[SimulatedTask::of(task).parent].push_back(&task);
}

RuntimeRules::Found GompRules::take(const SimulatedWorker& worker, StartRule /*rule*/, int /*team_size*/,
                                    Reach /*reach*/) {
  Task* const task = find(worker);
  if (task == nullptr) return {};
  const auto place = places_.find(task);
  all_.erase(place->second);
  places_.erase(place);
  const auto siblings = children_.find(SimulatedTask::of(*task).parent);
  siblings->second.remove(task);
  if (siblings->second.empty()) children_.erase(siblings);
  return {task, lock_.use(worker, costs_.lock) + costs_.take};
}

Task* GompRules::find(const SimulatedWorker& worker) {
  const auto may_be_taken = [&](const Task* task) { return may_take(worker, *task, {}); };
  const Waits waits = worker.frames.back().waits;
  if (waits == Waits::kBarrier) {
    const auto found = std::ranges::find_if(all_, may_be_taken);
    return found != all_.end() ? *found : nullptr;
  }
  const auto children = children_.find(worker.frames.back().task);
  if (children != children_.end()) {
    const auto youngest_first = std::views::reverse(children->second);
    const auto found = std::ranges::find_if(youngest_first, may_be_taken);
    if (found != youngest_first.end()) return *found;
  }
  if (waits != Waits::kDescendants) return nullptr;
  const auto youngest_first = std::views::reverse(all_);
  const auto found = std::ranges::find_if(youngest_first, may_be_taken);
  return found != youngest_first.end() ? *found : nullptr;
}

bool GompRules::may_take(const SimulatedWorker& worker, const Task& task, StartRule /*rule*/) const {
  const Frame& frame = worker.frames.back();
  const SimulatedTask* above = SimulatedTask::of(task).parent;
  if (SimulatedTask::of(task).is_undeferred) return awaits(worker, task);
  switch (frame.waits) {
    case Waits::kBarrier:
      return true;
    case Waits::kDescendants:
      while (above != nullptr && above != frame.task) above = above->parent;
      return above != nullptr;
    default:
      return above == frame.task;
  }
}

}  // namespace heddle::simulate
