#include "tasking/yield.hpp"

#include "suspend/polling.hpp"
#include "suspend/suspension.hpp"
#include "sys/relax.hpp"
#include "tasking/execution.hpp"
#include "tasking/order_point.hpp"
#include "tasking/private_chunks.hpp"
#include "team/wait.hpp"

namespace heddle {
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

// Whoever starts a task leaves a context behind, and may come back long after it: where there are many,
// others start more and more seldom, and turns are among those that have begun.
bool may_start_another(Member& me) {
  return me.suspended.count < limits::kContexts || ++me.yields.since_start >= me.suspended.count;
}

}  // namespace

void taskyield(Member& me) {
  expect_suspension();  // whoever finds this function by itself is linked with nothing
  if (needs_attention()) [[unlikely]]
    attend(me);
  if (me.team->order != nullptr) [[unlikely]] {
    if (stand_at_point(me)) return;
    // Who yields may wait for just what the order puts off.
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
  else if (Backoff::is_crowded())
    yield_cpu();
}

}  // namespace heddle
