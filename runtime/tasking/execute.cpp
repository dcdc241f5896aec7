#include "tasking/execute.hpp"

#include <utility>

#include "icv/settings.hpp"
#include "suspend/polling.hpp"
#include "suspend/suspension.hpp"
#include "sys/fatal.hpp"
#include "sys/processor.hpp"
#include "task/task.hpp"
#include "tasking/cancellation.hpp"
#include "tasking/children.hpp"
#include "tasking/complete.hpp"
#include "tasking/detach.hpp"
#include "team/team.hpp"

namespace heddle {
namespace {

Task* find_task_in_order(Member& me) {
  announce_completions(me);
  Task* const task = me.team->order->take(me.rule());
  if (task == nullptr || takes_part(me)) return task;
  make_ready(me, *task);  // the order's own list, whichever thread queues it
  return nullptr;
}

Reach reach_of(Look look) {
  if (look == Look::kLast || look == Look::kElsewhere) return Reach::kAll;
  const bool leaves_others = look != Look::kAnybody && (settings().rules_off & bit(Rule::kLeapfrog)) == 0;
  return leaves_others ? Reach::kStartable : Reach::kFirst;
}

void run_observed_body(Task& task, Task& below) {
  observe(&Observer::task_begins, task, below);
  task.body(task);
  observe(&Observer::task_ends, task, below);
}

// Runs the body, and finds out on the way whether it matters which thread runs it.
void run_body(Member& me, Task& task) {
  Homes& homes = me.team->homes;
  if (HomeTable* const table = homes.active()) [[unlikely]]
    if (task.slot != HomeTable::kNoSlot) table->record(task.slot, me.number);
  if (!me.lengths.is_due()) [[likely]]
    return task.body(task);
  const auto created_so_far = [&me] { return me.tasks.created() + me.policy.cutoff.executed(); };
  const std::uint64_t created = created_so_far();
  const std::uint64_t began = ticks();
  task.body(task);
  const std::int64_t length = nanoseconds(ticks() - began);
  const bool were_long = me.lengths.is_long();
  me.lengths.judge(length);
  if (created_so_far() == created) me.team->short_tasks.judge(length);
  if (me.lengths.is_long() != were_long && settings().has_locality) homes.set_active(!were_long);
}

}  // namespace

Task* find_task(Member& me, Look look) {
  Team& team = *me.team;
  if (me.team_size == 1 && !team.has_tasks.load()) return nullptr;
  if (team.order != nullptr) [[unlikely]]
    return find_task_in_order(me);
  bool moved = false;
  Task* task = look == Look::kElsewhere ? nullptr : team.ready.take_own(me.number, me.rule(), &moved);
  const bool was_elsewhere = task == nullptr;
  if (was_elsewhere) {
    announce_completions(me);
    bool left_some = false;
    const Reach reach = reach_of(look);
    task = team.ready.take_elsewhere(me.number, me.team_size, me.rule(), reach, &moved, &left_some);
    me.has_left_tasks = left_some && !is_free(me.rule());
    if (task == nullptr && look != Look::kElsewhere && look != Look::kForeground && !left_some)
      task = team.ready.take_background(me.number, me.team_size, me.rule(), &moved);
  }
  // A member that has not noticed yet that its region is over may have taken tasks of the next, in which it
  // may have no place: all of them, since a thief queues what comes with the first.
  if ((task != nullptr || moved) && !takes_part(me)) [[unlikely]] {
    if (task != nullptr) team.ready.push_overflow(*task);
    team.ready.overflow_own(me.number);
    team.parking.wake_all(team.places);
    return nullptr;
  }
  // It is not known which thread may start the overflowed tasks, and the next sleeper may be as constrained
  // as this thread.
  if (moved)
    team.parking.wake_all(me.team_size);
  else if (was_elsewhere && team.ready.holds(me.number, 1))  // with the task others have come
    team.parking.wake_for_work(me.team_size);
  return task;
}

Task* execute(Member& me, Task& task) {
  if ((task.flags & (Task::kHasHandle | Task::kUndeferred)) == Task::kHasHandle) [[unlikely]] {
    const bool is_ours = task.status.claim();
    if (task.drop_reference()) release_task(task, *me.cache);  // the queue's; not the last one of ours
    if (!is_ours) return nullptr;
  }
  return execute_claimed(me, task);
}

Task* execute_claimed(Member& me, Task& task) {
  HEDDLE_ASSERT(task.is_valid());
  Task& suspended = *me.context.task;
  if (is_discarded(*me.team, task)) [[unlikely]]
    task.flags.set(Task::kDiscarded);
  Completions& gathered = me.completions;
  // The body may go on for long, and with it waits for what is gathered: unless they wait for this task, too.
  if (gathered.count != 0 && (gathered.parent != task.parent || gathered.group != group_of(task)))
    announce_completions(me);
  task.owner.store(static_cast<std::uint16_t>(me.number));
  {
    const Pushed current(me.context.task, &task);
    if (me.is_observed) [[unlikely]]
      run_observed_body(task, suspended);
    else
      run_body(me, task);
  }
  me.policy.serial_creation.forget_creator(task);
  if (needs_poll()) [[unlikely]]
    poll(me);
  if ((task.flags & Task::kHasMoreParts) != 0) {
    task.flags.clear(Task::kHasMoreParts);
    task.flags.set(Task::kHasBegun);
    task.owner.store(Task::kNoOwner);  // another member may run the next part
    if (me.team->order == nullptr) return &task;
    make_ready(me, task);
    return nullptr;
  }
  return end_body(me, task);
}

Task* end_body(Member& me, Task& task) {
  if ((task.flags & Task::kHasChildTable) != 0) forget_dependences(me, task);
  if (task.is_detachable()) {
    if (task.status.has_events()) end_body_of_external(task);
    task.owner.store(Task::kNoOwner);  // completed by the thread that fulfils the event
    observe(&Observer::task_waits_for_event, task);
    if (!task.status.end_body()) return nullptr;
    observe(&Observer::event_has_come, task);
  }
  Completion where{*me.team, *me.cache, &me};
  return complete(where, task);
}

void run_claimed(Member& me, Task& task) {
  const Nested here(me.context);
  Task* const successor = execute_claimed(me, task);
  announce_completions(me);
  if (successor != nullptr) make_ready(me, *successor);
}

bool scheduling_point(Member& me) {
  me.team->order->hesitate(me.team_size);
  Task& current = *me.context.task;
  const Nested here(me.context);
  const bool is_deep = me.context.inline_depth > limits::kDeepestInline;
  bool was_any = false;
  while (Task* task =
             me.team->order->take_at_point(current, me.rule(), me.number, me.team_size > 1, is_deep)) {
    if (may_suspend())
      run_on_own_stack(me, *task);
    else
      execute(me, *task);
    announce_completions(me);
    was_any = true;
  }
  return was_any;
}

RunNow run_task_now(Member& me, Task& task) {
  if (!task.status.is_ready()) return RunNow::kNotReady;
  if (!task.status.claim()) {
    give_handle_back(me, task);
    return RunNow::kStarted;
  }
  run_claimed(me, task);
  give_handle_back(me, task);
  return RunNow::kDone;
}

void give_handle_back(Member& me, Task& task) {
  if (task.drop_reference()) release_task(task, *me.cache);
}

}  // namespace heddle
