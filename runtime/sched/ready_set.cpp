#include "sched/ready_set.hpp"

#include <algorithm>
#include <mutex>
#include <span>
#include <utility>

#include "sys/fatal.hpp"

namespace heddle {
namespace {

// Longer lists are checked when somebody asks: each insertion would look at all of them.
[[maybe_unused]] constexpr std::uint32_t kFewTasks = 64;

}  // namespace

void TaskList::insert(Task& task) {
  const std::lock_guard guard(lock_);
  auto bucket = std::find_if(buckets_.begin(), buckets_.end(),
                             [&](const Bucket& b) { return b.priority <= task.priority; });
  if (bucket == buckets_.end() || bucket->priority != task.priority)
    bucket = buckets_.insert(bucket, Bucket{task.priority});
  task.next = nullptr;
  (bucket->last != nullptr ? bucket->last->next : bucket->first) = &task;
  bucket->last = &task;
  count_.add();
  HEDDLE_ASSERT(size() > kFewTasks || is_in_order());
}

bool TaskList::is_in_order() const {
  std::uint32_t tasks = 0;
  for (std::size_t b = 0; b < buckets_.size(); ++b) {
    const Bucket& bucket = buckets_[b];
    if (b > 0 && buckets_[b - 1].priority <= bucket.priority) return false;
    const Task* last = nullptr;
    for (const Task* task = bucket.first; task != nullptr; last = task, task = task->next, ++tasks)
      if (task->priority != bucket.priority) return false;
    if (last != bucket.last) return false;
  }
  return tasks == count_.size();
}

bool TaskList::is_valid() {
  const std::lock_guard guard(lock_);
  return is_in_order();
}

namespace {

// Whether the worker may start a part of the tasks only, that of an explicit task or of a wait for latency.
bool is_bound(StartRule rule) {
  return !is_free(rule) || rule.wanted != nullptr;
}

// Whether others may start what the worker may not.
bool only_constrains(StartRule rule) {
  return !is_free(rule) && rule.wanted == nullptr;
}

}  // namespace

ReadySet::ReadySet(int workers) {
  queues_.reserve(static_cast<std::size_t>(workers));
  for (int i = 0; i < workers; ++i) queues_.push_back(std::make_unique<Queue>());
}

bool ReadySet::is_valid() {
  return std::ranges::all_of(std::array{&urgent_, &overflow_, &background_},
                             [](TaskList* list) { return list->is_valid(); });
}

void ReadySet::overflow_own(int worker) {
  HEDDLE_ASSERT(is_valid());
  WorkStealingDeque<Task>& own = queues_[static_cast<std::size_t>(worker)]->deque;
  while (Task* const task = own.pop()) push_overflow(*task);
}

Task* ReadySet::take_own(int worker, StartRule rule, bool* moved) {
  if (urgent_.looks_empty()) [[likely]] {
    Task* const task = queues_[static_cast<std::size_t>(worker)]->deque.pop();
    if (task == nullptr || may_start(*task, rule)) [[likely]]
      return task;
    push_overflow(*task);
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
    push_overflow(*task);
    *moved = true;
  }
  return nullptr;
}

// Whether the oldest that the victim has queued descends from the constraint, as far as is known.
bool ReadySet::helps(const Queue& victim, const Task& constraint) const {
  constexpr int kMostSteps = 8;
  const Lineage* lineage = &victim.lineage;
  int level = lineage->level();
  for (int step = 0; step < kMostSteps && level >= 0; ++step) {
    if (lineage->descends_from(constraint, level)) return true;
    const Lineage::Origin origin = lineage->origin(level);
    if (origin.worker == Lineage::kNone) return false;
    lineage = &queues_[static_cast<std::size_t>(origin.worker)]->lineage;
    level = origin.level;
  }
  return false;
}

Task* ReadySet::take_own_oldest(int worker, StartRule rule, bool* moved) {
  Queue& own = *queues_[static_cast<std::size_t>(worker)];
  bool left_some = false;
  return steal(own, own, rule, Reach::kAll, moved, &left_some, 1);
}

void ReadySet::locate(std::vector<Location> locations) {
  HEDDLE_ASSERT(is_valid());
  const auto known = std::ranges::find_if(all_locations_, [&](const auto& l) { return *l == locations; });
  if (known != all_locations_.end()) {
    locations_ = known->get();
    return;
  }
  all_locations_.push_back(std::make_unique<const std::vector<Location>>(std::move(locations)));
  locations_ = all_locations_.back().get();
}

void ReadySet::order_victims(int worker, int workers) {
  Queue& own = *queues_[static_cast<std::size_t>(worker)];
  const auto* const locations = locations_.seen();  // of locate()
  if (own.victims_by == locations && own.victims.size() + 1 == static_cast<std::size_t>(workers)) return;
  own.victims_by = locations;
  own.victims = steal_order(worker, workers,
                            locations != nullptr ? std::span(*locations) : std::span<const Location>());
  own.last_victim = -1;
  own.next_inbox = 0;
}

Task* ReadySet::take_elsewhere(int worker, int workers, StartRule rule, Reach reach, bool* moved,
                               bool* left_some) {
  Queue& own = *queues_[static_cast<std::size_t>(worker)];
  const Task* const constraint = is_free(rule) ? nullptr : rule.constraint;
  own.lineage.end_levels_above(constraint);
  Task* task = take_from_inbox(own, own.inbox, rule, moved);
  if (task == nullptr) task = take_overflow(rule, reach, left_some);
  if (task == nullptr) {
    order_victims(worker, workers);
    task = steal_from_any(own, rule, reach, moved, left_some);
    if (task != nullptr) {
      own.lineage.begin_level(constraint, task->parent, origin_at(own.last_victim));
      return task;
    }
    task = take_from_inbox_of_any(own, rule, reach, moved, left_some);
  }
  if (task != nullptr) own.lineage.begin_level(constraint, task->parent, origin_of(*task));
  return task;
}

Task* ReadySet::take_overflow(StartRule rule, Reach reach, bool* left_some) {
  const auto allowed = [rule](const Task& t) { return may_start(t, rule); };
  return reach == Reach::kAll ? overflow_.take(allowed) : overflow_.try_take(allowed, left_some);
}

template <class TakeOf>
Task* ReadySet::take_of_any(Queue& own, TakeOf&& take_of) {
  const auto look = [&](int victim) { return take_of(*queues_[static_cast<std::size_t>(victim)]); };
  if (own.last_victim >= 0) {
    if (Task* task = look(own.last_victim)) return task;
  }
  for (const int victim : own.victims) {
    if (victim == own.last_victim) continue;
    if (Task* task = look(victim)) {
      own.last_victim = victim;
      return task;
    }
  }
  return nullptr;
}

Task* ReadySet::steal_from_any(Queue& own, StartRule rule, Reach reach, bool* moved, bool* left_some) {
  const bool is_constrained = reach == Reach::kStartable && only_constrains(rule);
  // What it may not start nobody else would find in its queue while it waits.
  const int most = is_free(rule) ? WorkStealingDeque<Task>::kBatch : 1;
  return take_of_any(own, [&](Queue& victim) -> Task* {
    if (is_constrained) {
      if (victim.deque.looks_empty()) return nullptr;
      if (!helps(victim, *rule.constraint)) {
        *left_some = true;
        return nullptr;
      }
    }
    return steal(own, victim, rule, reach, moved, left_some, most);
  });
}

Task* ReadySet::take_from_inbox_of_any(Queue& own, StartRule rule, Reach reach, bool* moved,
                                       bool* left_some) {
  // Nobody knows whom what is there descends from: for now it stays where its owner finds it.
  const bool leaves_all = reach == Reach::kStartable && is_bound(rule);
  const auto take_of_inbox = [&](Queue& victim) -> Task* {
    if (!leaves_all) return take_from_inbox(own, victim.inbox, rule, moved);
    *left_some |= !victim.inbox.looks_empty();
    return nullptr;
  };
  const bool looks_at_all = reach == Reach::kAll || (reach == Reach::kFirst && is_bound(rule));
  if (looks_at_all || has_background_.load()) return take_of_any(own, take_of_inbox);
  // What is there is best taken by the owner, and a look takes the line that the next one who posts is about
  // to write: so one of them at a time, and all in turn.
  if (own.victims.empty()) return nullptr;
  const std::size_t next = std::exchange(own.next_inbox, (own.next_inbox + 1) % own.victims.size());
  return take_of_inbox(*queues_[own.victims[next]]);
}

// Of what that worker had queued.
Lineage::Origin ReadySet::origin_at(int victim) const {
  const int level = queues_[static_cast<std::size_t>(victim)]->lineage.level();
  return {static_cast<std::int16_t>(victim), static_cast<std::int16_t>(level)};
}

// Of what no worker had queued: the worker that executes its parent, which may be there on any level. A child
// of an implicit task has no other ancestor, and its parent may be on a line that is written for each child.
// The entry of a task that was started out of turn may have outlived the parent.
Lineage::Origin ReadySet::origin_of(const Task& task) const {
  if (task.depth <= 1 || (task.flags & Task::kHasHandle) != 0) return {};
  const std::uint16_t owner = task.parent->owner.load();
  return owner < queues_.size() ? origin_at(owner) : Lineage::Origin{};
}

bool ReadySet::looks_empty(int workers) const {
  if (!urgent_.looks_empty() || !overflow_.looks_empty() || !background_.looks_empty()) return false;
  for (int w = 0; w < workers; ++w) {
    const Queue& queue = *queues_[static_cast<std::size_t>(w)];
    if (!queue.deque.looks_empty() || !queue.inbox.looks_empty() || !queue.background.looks_empty())
      return false;
  }
  return true;
}

// The oldest; the others are queued, the oldest of them to be taken next.
Task* ReadySet::take_from_inbox(Queue& own, Inbox<Task>& inbox, StartRule rule, bool* moved) {
  Task* task = inbox.take_all();
  while (task != nullptr && task->next != nullptr) {
    Task* const older = task->next;
    own.deque.push(std::exchange(task, older));
  }
  for (; task != nullptr; task = own.deque.pop()) {
    if (may_start(*task, rule)) return task;
    push_overflow(*task);
    *moved = true;
  }
  return nullptr;
}

Task* ReadySet::take_background(int worker, int workers, StartRule rule, bool* moved) {
  if (Task* const task = background_.take([rule](const Task& t) { return may_start(t, rule); })) return task;
  if (!has_background_.load()) return nullptr;
  Queue& own = *queues_[static_cast<std::size_t>(worker)];
  if (Task* const task = take_oldest(own, rule, moved)) return task;
  order_victims(worker, workers);
  for (const int victim : own.victims)
    if (Task* const task = take_oldest(*queues_[static_cast<std::size_t>(victim)], rule, moved)) return task;
  return nullptr;
}

Task* ReadySet::take_oldest(Queue& queue, StartRule rule, bool* moved) {
  while (!queue.background.looks_empty()) {
    Task* task = nullptr;
    if (queue.background.steal(&task, 1) <= 0) continue;  // another was faster; look again
    if (may_start(*task, rule)) return task;
    push_overflow(*task);
    *moved = true;
  }
  return nullptr;
}

Task* ReadySet::steal(Queue& own, Queue& victim, StartRule rule, Reach reach, bool* moved, bool* left_some,
                      int most) {
  Task* tasks[WorkStealingDeque<Task>::kBatch];
  // One look: each takes the line that the victim is about to write.
  while (const int count = victim.deque.steal(tasks, most)) {
    *left_some = true;  // unless it finds one
    if (count == WorkStealingDeque<Task>::kLost) {
      if (reach == Reach::kAll) continue;
      return nullptr;  // somebody else is at it, and takes it the sooner the fewer try
    }
    // What comes with the first is queued here, where its constraint is looked at when its turn comes.
    for (int i = count - 1; i > 0; --i) {
      tasks[i]->prefetch();
      own.deque.push(tasks[i]);
    }
    if (may_start(*tasks[0], rule)) return tasks[0];
    push_overflow(*tasks[0]);
    *moved = true;
    if (reach != Reach::kAll) return nullptr;  // what comes next is hardly better
  }
  return nullptr;
}

}  // namespace heddle
