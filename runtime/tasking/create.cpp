#include "tasking/create.hpp"

#include <algorithm>

#include "deps/exclusion.hpp"
#include "suspend/suspension.hpp"
#include "tasking/alone.hpp"
#include "tasking/child_table.hpp"
#include "tasking/completion.hpp"
#include "tasking/execution.hpp"
#include "tasking/order_point.hpp"
#include "tasking/scope.hpp"
#include "tasking/task_handle.hpp"
#include "tasking/throttle.hpp"
#include "team/recorder.hpp"

namespace heddle {
namespace {

// A creator far ahead of those who execute helps them, with its descendants that are ready, wherever they
// stand: the more tasks are incomplete, the less of them is in its cache, and the more memory is touched for
// the first time. Where it finds nothing it goes on creating, and looks again later. Measured: bench/tasks.
constexpr std::int64_t kManyChildren = 1024, kManyPerThread = 32, kMostChildren = 1 << 24;

void catch_up(Member& me) {
  if (!me.looks_ahead.is_over() || me.inline_depth >= kDeepestInline) return;
  const std::int64_t ready = g_throttle.tasks.load(std::memory_order_relaxed);
  if (ready == Throttle::kHold) return;
  const auto many = static_cast<std::int32_t>(
      std::min(std::max({kManyChildren, ready, kManyPerThread * me.team_size}), kMostChildren));
  Task& parent = *me.current;
  if (!parent.has_more_children(many) || (may_suspend() && !can_leave(me))) return;
  const Suspended here(me);
  ++me.inline_depth;
  const auto has_caught_up = [&] { return !parent.has_more_children(many / 2); };
  while (!has_caught_up()) {
    Task* const task = find_task(me, Look::kForeground);
    if (task == nullptr) {
      me.looks_ahead.was_in_vain();
      break;
    }
    me.looks_ahead.was_of_use();
    execute_meanwhile(me, *task, has_caught_up);
  }
  --me.inline_depth;
  announce_completions(me);
}

bool must_run_inline(const Member& me) {
  if (me.inline_depth >= kDeepestInline) return false;
  const std::int64_t most = g_throttle.tasks.load(std::memory_order_relaxed);
  return (me.team_size == 1 && most != Throttle::kHold) || me.team->ready.holds(me.number, most);
}

void run_inline(Member& me, Task& task) {
  if (may_suspend()) [[unlikely]]
    return can_leave(me) ? run_apart(me, task) : make_ready(me, task);
  ++me.inline_depth;
  run_claimed(me, task);
  --me.inline_depth;
}

void share(Member& me, Task& task, std::span<const Dependence> dependences) {
  Team& team = *me.team;
  Task& parent = *me.current;
  if (!me.request.is_empty()) [[unlikely]]
    apply_request(me, task);
  if (me.cache->bytes_in_use() > me.hold_at) [[unlikely]]
    hold_back(me);
  parent.child_created();
  count_created(me, task.group, 1);
  if (!dependences.empty()) {
    if (me.flight != nullptr) [[unlikely]]
      recorder().wait_for_flight(me);
    if (team.homes.active() != nullptr && task.slot == HomeTable::kNoSlot) [[unlikely]]
      task.slot = HomeTable::slot_of(dependences);
    if (!arm(task, table_of(me, parent).add(task, dependences, *me.cache)) ||
        ((task.flags & Task::kHasExclusions) != 0 && !collect_exclusions(task))) {
      if (team.order != nullptr) [[unlikely]]
        stand_at_point(me);
      else
        catch_up(me);
      return;
    }
  }
  if (team.order != nullptr) [[unlikely]] {
    make_ready(me, task);
    stand_at_point(me);
    return;
  }
  // What the program has plans for waits for its turn.
  if (task.priority >= 0 && (task.flags & Task::kHasHandle) == 0 && must_run_inline(me) &&
      home_of(me, task) == me.number)
    run_inline(me, task);
  else
    make_ready(me, task);
}

}  // namespace

void submit(Member& me, Task& task, std::span<const Dependence> dependences) {
  share(me, task, dependences);
  if (me.tiny.is_due()) [[unlikely]]
    try_alone(me);
}

void submit_sibling(Member& me, Task& task) {
  task.parent = me.current->parent;
  task.depth = me.current->depth;
  if (task.parent->owner.load(std::memory_order_relaxed) == me.number)
    task.parent->child_created();
  else
    task.parent->child_created_elsewhere();
  count_created(me, task.group, 1);
  make_ready(me, task);
}

}  // namespace heddle
