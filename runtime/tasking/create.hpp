// The way of a task from its construct to a queue, or to where it is executed here and now.
//
// create() is that way, from top to bottom: the task is placed, recorded, observed and published. Where it
// goes is asked once (sched/spawn_policy.hpp). A compiler's ABI decodes what its entry point was given into a
// Construct, which has these operations, in the order of their use:
//   TaskSpec spec(me)               what decides where the task goes
//   record(me)                      adds it to the record of its region; requires: is_recording(me)
//   execute_inline(me)              calls its code as a child of the current task that nobody counts
//   defer(me, where)                calls create_deferrable() out of line: an inline task lies in no memory
//   read_dependences(list)          decodes them into an empty list
//   Task& make(me, where)           makes its Task; with its arguments, but where it is included
//   observe(me, task, dependences)  tells of it; requires: Member::is_observed
//   execute_included(me, task, dependences)  calls its code as an undeferred task, after its predecessors
//
// Words: see task/task.hpp. A task is *submitted* by its creator, which publishes it, and *completed* by
// the thread that ends it, which for a detachable task may be a thread outside the team. Invariant: of the
// counters that a barrier compares, the created one is raised before a task can run, or leave the thread that
// executes it at its creation; the finished one after everything that its completion touches.
#pragma once

#include <cstdint>
#include <span>

#include "deps/access.hpp"
#include "suspend/suspension.hpp"
#include "tasking/children.hpp"
#include "tasking/throttle.hpp"
#include "team/recorder.hpp"
#include "team/team.hpp"

namespace heddle {

// -- where a task goes

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
  std::int64_t queued() const { return g_throttle.tasks.load(); }
  std::int64_t queued_in_recursion() const { return g_throttle.nested_tasks.load(); }

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

/// Whether a member of several may keep from the others what takes less than it costs to share: the program
/// has not said how much is to be queued, or in which order it is executed.
inline bool may_leave_unshared(const Member& me) {
  return me.team_size > 1 && (reasons_of(me) & ~bit(Reason::kLogged)) == 0 &&
         me.context.inline_depth < limits::kDeepestInline;
}

/// Whether tasks may be executed by the member that meets them, one after the other, whatever the team is.
inline bool may_replay_serially(const Member& me) {
  return (reasons_of(me) & ~kRulesHold) == 0 && me.context.inline_depth < limits::kDeepestInline;
}

/// Whether it is faster to execute the current task's children at their creation than to share them
/// (sched/spawn_policy.hpp).
inline bool is_serial_creation_better(const Member& me) {
  return me.context.task->depth < limits::kRecursion && may_leave_unshared(me) &&
         me.team->short_tasks.are_short();
}

// -- how it gets there

/// Publishes a task with its dependences. It runs when they are satisfied, here and now if too many are
/// queued. is_placed: that was asked before. Ensures: ownership passes on; do not touch the task afterwards.
void submit(Member& me, Task& task, std::span<const Dependence> dependences, bool is_placed = false);

/// Publishes a task without dependences as a child of the current task's parent, which the current task, an
/// explicit one, thereby keeps incomplete. It is queued in any case. Ensures: as submit().
void submit_sibling(Member& me, Task& task);

/// create() of a task that is not executed inline.
template <class Construct>
void create_deferrable(Member& me, Construct construct, Where where) {
  if (is_recording(me)) [[unlikely]]
    construct.record(me);
  DependenceList list;
  construct.read_dependences(list);
  const std::span<const Dependence> dependences = list.span();
  Task& task = construct.make(me, where);
  if (where == Where::kOwnStack && run_inline_on_own_stack(me, task)) return;
  if (me.is_observed) [[unlikely]]
    construct.observe(me, task, dependences);
  if (where == Where::kIncluded) return construct.execute_included(me, task, dependences);
  submit(me, task, dependences, dependences.empty() && was_placed(me, construct.spec(me).has_more));
}

/// Creates a task of the current one.
template <class Construct>
[[gnu::always_inline]] inline void create(Member& me, Construct construct) {
  const Where where = place(me, construct.spec(me));
  if (where != Where::kInline) return construct.defer(me, where);
  if (is_recording(me)) [[unlikely]]
    construct.record(me);
  construct.execute_inline(me);
}

}  // namespace heddle
