#include "tasking/at_once.hpp"

#include "task/release.hpp"
#include "tasking/child_table.hpp"
#include "tasking/completion.hpp"
#include "tasking/execution.hpp"
#include "tasking/new_task.hpp"

namespace heddle {
namespace {

// It has events outside OpenMP, which its creator does not wait for: it is a child like any other from now
// on.
[[gnu::cold]] void end_with_events(Member& me, Task& task) {
  task.flags.clear(Task::kUndeferred);
  if (task.group != nullptr) task.flags.set(Task::kInGroup);
  count_late(me, task);
  if (Task* const successor = end_body(me, task)) make_ready(me, *successor);
  announce_completions(me);
}

}  // namespace

Task& new_undeferred(Member& me, unsigned flags) {
  Task& task = new_task(me, kSparePayloadBytes, flags | Task::kUndeferred);
  task.owner.store(static_cast<std::uint16_t>(me.number), std::memory_order_relaxed);
  return task;
}

Task& new_apart_at_once(Member& me, std::size_t payload_bytes, unsigned flags) {
  if (payload_bytes > kSparePayloadBytes) return new_task(me, payload_bytes, flags);
  Task* task = me.spare_undeferred;
  if (task != nullptr) [[likely]] {
    me.spare_undeferred = task->next;
    task->renew(*me.context.task, flags);
    if (task->group != nullptr) task->flags.set(Task::kInGroup);
  } else {
    task = &new_task(me, kSparePayloadBytes, flags);
    task->kind = Task::kSpare;
  }
  return *task;
}

void end_apart_at_once(Member& me, Task& task) {
  if (is_as_new(task) && task.kind == Task::kSpare && task.home == me.cache) [[likely]]
    task.next = std::exchange(me.spare_undeferred, &task);
  else
    end_at_once(me, task);
}

void end_at_once(Member& me, Task& task) {
  if (task.is_detachable()) [[unlikely]]
    return end_with_events(me, task);
  forget_dependences(me, task);
  leave_undeferred(me, task);
}

void forget_spare_tasks(Member& place) {
  while (Task* const task = place.spare_undeferred) {
    place.spare_undeferred = task->next;
    release_task(*task, *place.cache);
  }
}

}  // namespace heddle
