// Asks of a member where its tasks go (sched/spawn_policy.hpp).
#pragma once

#include <cstdint>

#include "tasking/throttle.hpp"
#include "team/team.hpp"

namespace heddle {

/// What a construct says of a task, before there is one.
struct TaskSpec {
  const void* construct = nullptr;  // the code of its body
  bool has_dependences = false;
  bool is_included = false;  // its creator executes it before it goes on: if(0), or final
  bool has_more = false;     // it has an event, or may change its thread: a Task is made for it in any case
};

/// A member as the creator of its current task's children.
class Creator {
 public:
  explicit Creator(const Member& me) : me_(me) {}
  int team_size() const { return me_.team_size; }
  int inline_depth() const { return me_.context.inline_depth; }
  unsigned depth() const { return me_.context.task->depth; }
  const Task* task() const { return me_.context.task; }
  bool children_complete() const { return me_.context.task->children_complete(); }
  bool has_urgent() const { return me_.team->ready.has_urgent(); }
  bool queue_holds(std::int64_t count) const { return me_.team->ready.holds(me_.number, count); }
  std::int64_t queued() const { return g_throttle.tasks.load(std::memory_order_relaxed); }
  std::int64_t queued_in_recursion() const { return g_throttle.nested_tasks.load(std::memory_order_relaxed); }

 private:
  const Member& me_;
};

inline std::uint32_t reasons_of(const Member& me) {
  return me.reasons.all() | g_reasons.all();
}

/// place() where reasons hold.
[[gnu::noinline]] Where place_under_reasons(Member& me, const void* construct, bool has_dependences);

/// Where a task goes that its construct lets be deferred.
inline Where place(Member& me, const TaskSpec& spec) {
  if (spec.is_included) [[unlikely]]
    return Where::kIncluded;
  if (spec.has_more) [[unlikely]]
    return Where::kQueue;
  const std::uint32_t reasons = reasons_of(me);
  if (reasons == bit(Reason::kMaySuspend)) {
    const Creator creator(me);
    const std::int64_t queued = SpawnPolicy<TickClock>::queued_on_stacks(reasons, creator);
    return me.policy.place_on_stack(creator, spec.has_dependences, queued).where;
  }
  if (reasons != 0) [[unlikely]]
    return place_under_reasons(me, spec.construct, spec.has_dependences);
  return me.policy.place(Creator(me), spec.has_dependences).where;
}

/// Whether place() was told all there is to know of a task without dependences, and has decided.
inline bool was_placed(const Member& me, bool has_more) {
  return !has_more && (reasons_of(me) & ~kRulesHold) == 0;
}

/// Where one goes that has been registered with its siblings and waits for none of them.
Where place_ready(Member& me, const Task& task);

/// Whether a member of several may keep from the others what takes less than it costs to share: the program
/// has not said how much is to be queued, or in which order it is executed.
inline bool may_leave_unshared(const Member& me) {
  return me.team_size > 1 && (reasons_of(me) & ~bit(Reason::kLogged)) == 0 &&
         me.context.inline_depth < limits::kDeepestInline;
}

/// Whether tasks may be executed by the member that meets them, one after the other, whatever the team is.
inline bool may_execute_in_turn(const Member& me) {
  return (reasons_of(me) & ~kRulesHold) == 0 && me.context.inline_depth < limits::kDeepestInline;
}

}  // namespace heddle
