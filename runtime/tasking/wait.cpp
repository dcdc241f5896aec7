#include "tasking/wait.hpp"

#include <new>

#include "suspend/polling.hpp"
#include "suspend/suspension.hpp"
#include "sys/processor.hpp"
#include "tasking/children.hpp"
#include "tasking/complete.hpp"
#include "tasking/create.hpp"
#include "tasking/execute.hpp"
#include "tasking/private_chunks.hpp"
#include "tasking/request.hpp"
#include "tasking/task_wait.hpp"
#include "tasking/undeferred.hpp"
#include "team/recorder.hpp"
#include "team/wait.hpp"
#include "trace/observer.hpp"

namespace heddle {
namespace {

// The task's own member completes children of it meanwhile, like any other.
void leave_for_children(Member& me, Task& task) {
  announce_completions(me);
  Suspension self(me, WaitsFor::kChildren, &task);
  task.suspension = &self;
  const std::uint16_t owner = task.owner.load();  // none of a spawned task
  task.owner.store(Task::kNoOwner);
  if (task.begin_child_wait(Task::kHasLeft)) suspend(self);
  task.end_child_wait(Task::kHasLeft);
  task.owner.store(owner);
}

void leave_for_group(Member& me, TaskGroup& group) {
  Suspension self(me, WaitsFor::kGroup, &group);
  group.waiter = &self;
  if (group.outstanding.begin_wait(Task::kHasLeft)) suspend(self);
  group.outstanding.end_wait(Task::kHasLeft);
}

// After a wait of the current task for its children.
inline void after_wait(Member& me) {
  if (me.policy.serial_creation.wait_ends(me.context.task)) return;
  if (me.policy.serial_creation.is_postponed() && is_serial_creation_better(me) &&
      me.context.task->children_complete()) [[unlikely]]
    me.policy.serial_creation.begin(me.context.task);
}

// Waits for the children of the current task.
class ChildWait {
 public:
  explicit ChildWait(Member& me) : task_(*me.context.task), who_(me.number) {}
  bool operator()() const { return task_.children_complete(); }
  bool prepare_sleep() {
    task_.begin_child_wait(who_);
    return !task_.waited_children_complete();
  }
  void end_sleep() { task_.end_child_wait(who_); }

 private:
  Task& task_;
  int who_;
};

// Not inlined: most taskwaits find their children complete, and need no frame for a wait.
[[gnu::noinline]] void wait_in_place_for_children(Member& me, Task& task) {
  const Wanted children{&task, nullptr};
  const Constrained here(me.context, children);
  const WaitInPlace word(me, WaitsFor::kChildren, &task);
  run_tasks_until(me, ChildWait(me));
}

}  // namespace

void taskwait(Member& me) {
  if (is_recording(me)) [[unlikely]]
    recorder().wait(me);
  Task& task = *me.context.task;
  me.policy.serial_creation.wait_begins(me.context.task);
  if (!task.children_complete()) {
    publish_private_chunks(me);
    if (leaves_to_wait(me)) [[unlikely]] {
      leave_for_children(me, task);
    } else {
      wait_in_place_for_children(me, task);
    }
  }
  if (task.child_table != nullptr && !task.child_table->is_empty()) task.child_table->clear(*me.cache);
  after_wait(me);
}

void taskwait_depend(Member& me, std::span<const Dependence> dependences, CallSite where) {
  if (is_recording(me)) [[unlikely]]
    recorder().wait_for(me, dependences);
  if (me.pipeline != nullptr) [[unlikely]]
    recorder().wait_for_pipeline(me);
  if (me.context.task->child_table == nullptr && !has_tool()) return;  // no child has dependences
  const RequestAside of_next_task(me);
  Task& waiting = new_task(me, 0, Task::kUndeferred);
  observe(&Observer::task_created, waiting, {where, dependences, true, true, true});
  begin_undeferred(me, waiting, dependences);
  end_undeferred(me, waiting);
}

void taskgroup_begin(Member& me) {
  if (is_recording(me)) [[unlikely]]
    recorder().group_begin(me);
  me.context.task->group = new (me.cache->allocate(sizeof(TaskGroup))) TaskGroup(me.context.task->group);
}

void taskgroup_begin_of_construct(Member& me) {
  taskgroup_begin(me);
  me.context.task->group->is_of_construct = true;
}

void wait_for_group(Member& me, TaskGroup& group) {
  if (group.outstanding.is_zero()) return;
  publish_private_chunks(me);
  if (leaves_to_wait(me)) [[unlikely]]
    return leave_for_group(me, group);
  const Wanted members{nullptr, &group};
  const Constrained here(me.context, members);
  const WaitInPlace word(me, WaitsFor::kGroup, &group);
  group.outstanding.begin_wait(me.number);
  run_tasks_until(me, [&] { return group.outstanding.is_zero(); });
  group.outstanding.end_wait(me.number);
}

void taskgroup_end(Member& me) {
  if (is_recording(me)) [[unlikely]]
    recorder().group_end(me);
  TaskGroup* group = me.context.task->group;
  HEDDLE_ASSERT(group != nullptr);
  me.policy.serial_creation.wait_begins(me.context.task);
  wait_for_group(me, *group);
  me.context.task->group = group->outer;
  me.cache->release(group, sizeof(TaskGroup), *me.cache);
  after_wait(me);
}

namespace {

// The task that has waited longest: its own queue's oldest and the others' take turns.
Task* find_other_task(Member& me) {
  Team& team = *me.team;
  bool moved = false;
  Task* task = nullptr;
  me.yields.to_others = !me.yields.to_others;
  if (me.yields.to_others) task = find_task(me, Look::kElsewhere);
  if (task == nullptr) task = team.ready.take_own_oldest(me.number, me.rule(), &moved);
  if (task == nullptr) task = find_task(me, Look::kLast);
  if (moved) team.parking.wake_all(me.team_size);
  return task;
}

// A thread that starts a task leaves a context behind, and may come back long after it: where there are many,
// others start more and more seldom, and turns are among those that have begun.
bool may_start_another(Member& me) {
  return me.suspended.count < limits::kContexts || ++me.yields.since_start >= me.suspended.count;
}

}  // namespace

void taskyield(Member& me) {
  expect_suspension();  // a program that finds this function by itself is linked with nothing
  if (needs_poll()) [[unlikely]]
    poll(me);
  if (me.team->order != nullptr) [[unlikely]] {
    if (scheduling_point(me)) return;
    // A task that yields may wait for just what the order puts off.
    Task* const task = has_next(me) ? nullptr : me.team->order->take({});
    if (task != nullptr || has_next(me)) yield_to(me, task);
    return;
  }
  publish_private_chunks(me);
  Task* task = nullptr;
  if (may_start_another(me)) {
    const Unconstrained here(me.context);
    give_creator_a_turn(me);
    task = find_other_task(me);
    if (task != nullptr) me.yields.since_start = 0;
  }
  if (task != nullptr || has_next(me))
    yield_to(me, task);
  else if (Backoff::is_oversubscribed())
    yield_cpu();
}

}  // namespace heddle
