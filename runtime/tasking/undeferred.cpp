#include "tasking/undeferred.hpp"

#include <vector>

#include "deps/dependence_table.hpp"
#include "suspend/polling.hpp"
#include "task/task.hpp"
#include "tasking/children.hpp"
#include "tasking/complete.hpp"
#include "tasking/detach.hpp"
#include "tasking/execute.hpp"
#include "tasking/private_chunks.hpp"
#include "tasking/request.hpp"
#include "tasking/task_wait.hpp"
#include "tasking/transparent.hpp"
#include "team/recorder.hpp"
#include "team/wait.hpp"
#include "trace/observer.hpp"
#include "trace/tool.hpp"

namespace heddle {
namespace {

void leave_for_predecessors(Member& me, Task& task) {
  Suspension self(me, WaitsFor::kPredecessors, &task);
  task.parent->suspension = &self;
  // release: pairs with the fetch_or in predecessors_complete()
  if (!task.status.let_creator_leave()) suspend(self);
}

void wait_for_predecessors(Member& me, Task& task) {
  publish_private_chunks(me);
  if (leaves_to_wait(me)) [[unlikely]]
    return leave_for_predecessors(me, task);
  const Constrained here(me.context);
  const WaitInPlace word(me, WaitsFor::kPredecessors, &task);
  run_tasks_until(me, [&] { return task.status.is_released(); });
}

// A task with an event may outlast its creator's wait: siblings that come later depend on it. No other
// excludes it, since its creator waits for it to begin: mutexinoutset orders as out.
[[gnu::cold, gnu::noinline]] std::uint32_t add_detachable(Member& me, Task& task,
                                                          std::span<const Dependence> dependences) {
  std::vector<Dependence> ordering(dependences.begin(), dependences.end());
  for (Dependence& dependence : ordering)
    if (dependence.kind == AccessKind::kMutexInOutSet) dependence.kind = AccessKind::kOut;
  return table_of(me, *me.context.task).add(task, ordering, *me.cache);
}

// Its creator goes on now that its structured block has ended: it is a child like any other, until its event
// is fulfilled (OpenMP 5.2, section 1.2.5, undeferred task).
[[gnu::cold, gnu::noinline]] void end_detached(Member& me, Task& task) {
  task.flags.clear(Task::kUndeferred);
  if (task.group != nullptr) task.flags.set(Task::kInGroup);
  count_late(me, task);
  if (Task* const successor = end_body(me, task)) make_ready(me, *successor);
  announce_completions(me);
  if (needs_poll()) poll(me);
}

}  // namespace

void begin_undeferred(Member& me, Task& task, std::span<const Dependence> dependences) {
  task.flags.set(Task::kUndeferred);
  task.created_by(me.number);
  if (!task.is_detachable()) task.status.let_creator_wait();
  if (!me.requests.task.is_empty()) [[unlikely]]
    apply_request(me, task);
  const bool is_transparent = task.kind == Task::kTransparent && !has_tool();
  if (task.kind == Task::kTransparent && !is_transparent) [[unlikely]]
    dependences = forget_transparency(task, dependences);
  if (me.team->order != nullptr) [[unlikely]]
    scheduling_point(me);  // tasks that run here may create others, which the request is not for
  if (!dependences.empty() && me.pipeline != nullptr) [[unlikely]]
    recorder().wait_for_pipeline(me);
  if (is_transparent) [[unlikely]] {
    if (!register_transparent(me, task, dependences)) wait_for_predecessors(me, task);
    begin_transparent(me, task);
  } else if (!dependences.empty()) {
    std::uint32_t edges = 0;
    if (task.is_detachable()) [[unlikely]]
      edges = add_detachable(me, task, dependences);
    else if (me.context.task->child_table != nullptr)
      edges = me.context.task->child_table->add_waiting_only(task, dependences, *me.cache);
    if (!arm(task, edges)) wait_for_predecessors(me, task);
  }
  task.outer_constraint = me.context.begin_inline(task);
  task.owner.store(static_cast<std::uint16_t>(me.number));
  if (me.is_observed) [[unlikely]]
    observe(&Observer::undeferred_task_begins, task);
}

void end_undeferred(Member& me, Task& task) {
  if (task.kind == Task::kTransparent) [[unlikely]]
    end_transparent(me, task);
  if (me.is_observed) [[unlikely]]
    observe(&Observer::undeferred_task_ends, task);
  me.context.end_inline(*task.parent, task.outer_constraint);
  me.policy.serial_creation.forget_creator(task);
  if (task.is_detachable() && !task.status.creator_waits()) return end_detached(me, task);
  forget_dependences(me, task);
  if (task.is_detachable() && task.status.has_events()) end_body_of_external(task);
  if (task.is_detachable() && !task.status.end_body()) {
    // It has taken events of a library while it ran. Siblings may depend on it, and no table knows it: so its
    // creator goes on when it is complete.
    const Constrained here(me.context);
    const WaitInPlace word(me, WaitsFor::kDetachEvent, &task);
    run_tasks_until(me, [&] { return task.status.is_fulfilled(); });
  }
  leave_undeferred(me, task);
  if (needs_poll()) [[unlikely]]
    poll(me);
}

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
  task.owner.store(static_cast<std::uint16_t>(me.number));
  return task;
}

Task& new_inline_on_own_stack(Member& me, std::size_t payload_bytes, unsigned flags) {
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

void end_inline_on_own_stack(Member& me, Task& task) {
  if (is_as_new(task) && task.kind == Task::kSpare && task.home == me.cache) [[likely]]
    task.next = std::exchange(me.spare_undeferred, &task);
  else
    end_inline_task(me, task);
}

void end_inline_task(Member& me, Task& task) {
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
