#include "tasking/create.hpp"

#include <algorithm>
#include <utility>

#include "deps/exclusion.hpp"
#include "icv/settings.hpp"
#include "sched/limits.hpp"
#include "suspend/suspension.hpp"
#include "sys/fatal.hpp"
#include "sys/processor.hpp"
#include "tasking/children.hpp"
#include "tasking/complete.hpp"
#include "tasking/execute.hpp"
#include "tasking/request.hpp"
#include "tasking/throttle.hpp"
#include "tasking/transparent.hpp"
#include "team/recorder.hpp"
#include "trace/tool.hpp"

namespace heddle {

Where place_under_reasons(Member& me, const void* construct, bool has_dependences) {
  const std::uint32_t reasons = reasons_of(me);
  Decision decision = me.policy.place_under(reasons & ~bit(Reason::kTool), Creator(me), has_dependences);
  // Executed at its creation it still is a task of its own.
  if ((reasons & bit(Reason::kTool)) != 0 && decision.where == Where::kInline)
    decision.where = Where::kIncluded;
  if ((reasons & bit(Reason::kTool)) != 0 && decision.where == Where::kOwnStack)
    decision.where = Where::kQueue;
  if ((reasons & bit(Reason::kLogged)) != 0)
    observe(&Observer::task_placed, construct, nullptr, decision.why);
  return decision.where;
}

namespace {

// -- a task is published

// Returns whether the task waits for nobody.
bool register_with_siblings(Member& me, Task& task, std::span<const Dependence> dependences) {
  if (me.pipeline != nullptr) [[unlikely]]
    recorder().wait_for_pipeline(me);
  if (me.team->homes.active() != nullptr && task.slot == HomeTable::kNoSlot) [[unlikely]]
    task.slot = HomeTable::slot_of(dependences);
  if (task.kind == Task::kTransparent) [[unlikely]] {
    if (!has_tool()) return register_transparent(me, task, dependences);
    dependences = forget_transparency(task, dependences);
  }
  return arm(task, table_of(me, *me.context.task).add(task, dependences, *me.cache)) &&
         ((task.flags & Task::kHasExclusions) == 0 || collect_exclusions(task));
}

// Where one goes that has been registered with its siblings and waits for none of them.
Where place_ready(Member& me, const Task& task) {
  const std::uint32_t reasons = reasons_of(me);
  const Decision decision = SpawnPolicy<TickClock>::place_ready(reasons, Creator(me));
  if ((reasons & bit(Reason::kLogged)) != 0) observe(&Observer::task_placed, nullptr, &task, decision.why);
  return decision.where;
}

// What the program has plans for waits for its turn.
bool waits_for_turn(const Member& me, const Task& task) {
  return task.priority < 0 || (task.flags & Task::kHasHandle) != 0 || home_of(me, task) != me.number;
}

// It is counted, and nothing keeps it back.
void execute_ready(Member& me, Task& task) {
  if (may_suspend()) [[unlikely]]
    return can_leave(me) ? run_on_own_stack(me, task) : make_ready(me, task);
  run_claimed(me, task);
}

// -- what its creator does next

// A creator far ahead of those that execute helps them, with its descendants that are ready, wherever they
// stand: the more tasks are incomplete, the less of them is in its cache, and the more memory is touched for
// the first time. Where it finds nothing it goes on creating, and looks again later.
void help(Member& me, std::int32_t many) {
  Task& parent = *me.context.task;
  if (me.context.inline_depth >= limits::kDeepestInline || (may_suspend() && !can_leave(me))) return;
  const Nested here(me.context);
  const auto has_caught_up = [&] { return !parent.has_more_children(many / 2); };
  while (!has_caught_up()) {
    Task* const task = find_task(me, Look::kForeground);
    if (task == nullptr) {
      me.policy.helps.was_in_vain();
      break;
    }
    me.policy.helps.was_of_use();
    execute_meanwhile(me, *task, has_caught_up);
  }
  announce_completions(me);
}

// Executes what is ready until the current task's children are complete, wherever they went. Gives up where
// they are not soon: some may wait for what the current task does later.
bool complete_children(Member& me) {
  const Task& parent = *me.context.task;
  if (may_suspend() && !can_leave(me)) return false;
  const std::uint64_t began = ticks();
  std::uint64_t got_on_at = began;
  const Nested here(me.context);
  while (!parent.children_complete()) {
    if (Task* const task = find_task(me, Look::kForeground)) {
      execute_meanwhile(me, *task, [&] { return parent.children_complete(); });
      got_on_at = ticks();
    } else {
      cpu_relax();
    }
    const std::uint64_t now = ticks();
    if (now - got_on_at > limits::kPatienceUs * ticks_per_us() ||
        now - began > limits::kMostPatienceUs * ticks_per_us())
      break;
  }
  announce_completions(me);
  return parent.children_complete();
}

// The tasks of a creator may be too short to be shared.
[[gnu::cold]] void try_serial_creation(Member& me) {
  const bool is_off = (settings().rules_off & bit(Rule::kSerialCreation)) != 0;
  if (is_off || !is_serial_creation_better(me)) return me.policy.serial_creation.stay();
  if (!complete_children(me)) return me.policy.serial_creation.postpone();
  me.policy.serial_creation.begin(me.context.task);
}

// What a poller made ready here, and what that makes ready, goes on before the creator does: a message that
// has come is often what another rank waits for next.
[[gnu::noinline]] void execute_made_ready_by_poller(Member& me) {
  const std::int64_t from = std::exchange(me.made_ready_by_poller, Member::kNothing);
  if ((settings().rules_off & bit(Rule::kMessages)) != 0) return;
  if (me.context.inline_depth >= limits::kDeepestInline || (may_suspend() && !can_leave(me))) return;
  const Nested here(me.context);
  bool moved = false;
  while (me.team->ready.end_of(me.number) > from) {
    Task* const task = me.team->ready.take_own(me.number, me.rule(), &moved);
    if (task == nullptr) break;
    execute_meanwhile(me, *task, [] { return false; });
  }
  if (moved) me.team->parking.wake_all(me.team_size);
  announce_completions(me);
}

bool has_many_children(const Member& me, std::int32_t* many) {
  const std::int64_t queued = g_throttle.tasks.load();
  *many = many_children(queued, me.team_size);
  return queued != Throttle::kHold && me.context.task->has_more_children(*many) &&
         (settings().rules_off & bit(Rule::kHelp)) == 0;
}

void go_on(Member& me) {
  if (me.made_ready_by_poller != Member::kNothing) [[unlikely]]
    execute_made_ready_by_poller(me);
  std::int32_t many = 0;
  switch (me.policy.published([&] {
    return me.context.task->has_more_children(limits::kChildren) && has_many_children(me, &many);
  })) {
    case Next::kGoOn:
      return;
    case Next::kHelp:
      return help(me, many);
    case Next::kTrySerialCreation:
      return try_serial_creation(me);
  }
}

}  // namespace

void submit(Member& me, Task& task, std::span<const Dependence> dependences, bool is_placed) {
  HEDDLE_ASSERT(task.is_valid());
  bool is_transparent = false;  // then it may have dependences without a clause
  if (!me.requests.task.is_empty()) [[unlikely]] {
    apply_request(me, task);
    is_transparent = task.kind == Task::kTransparent;
  }
  if (me.cache->bytes_in_use() > me.hold_at) [[unlikely]]
    hold_back(me);
  task.created_by(me.number);
  me.context.task->child_created();
  count_created(me, task.group, 1);
  const bool is_ready =
      (dependences.empty() && !is_transparent) || register_with_siblings(me, task, dependences);
  if (me.team->order != nullptr) [[unlikely]] {
    if (is_ready) make_ready(me, task);
    scheduling_point(me);
    return;
  }
  if (is_ready) {
    if (!is_placed && place_ready(me, task) != Where::kQueue && !waits_for_turn(me, task))
      execute_ready(me, task);
    else
      make_ready(me, task);
  }
  go_on(me);
}

void submit_sibling(Member& me, Task& task) {
  task.parent = me.context.task->parent;
  task.depth = me.context.task->depth;
  task.created_by(me.number);
  if (task.parent->owner.load() == me.number)
    task.parent->child_created();
  else
    task.parent->child_created_elsewhere();
  count_created(me, task.group, 1);
  make_ready(me, task);
}

}  // namespace heddle
