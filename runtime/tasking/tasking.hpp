// The life of a task in a team: created, made ready, executed, complete; and the constructs that wait for
// tasks.
//
// Words: see task/task.hpp. A task is *submitted* by its creator and *completed* by whoever ends it, which
// for a detachable task may be a thread outside the team. Invariant: of the counters that a barrier compares,
// tasks_created is raised before a task can run, or leave the thread that executes it at its creation;
// tasks_finished after everything that its completion touches.
#pragma once

#include <cstddef>
#include <span>
#include <utility>

#include "deps/access.hpp"
#include "suspend/suspension.hpp"
#include "task/task.hpp"
#include "team/team.hpp"

namespace heddle {

/// A task that is to be a child of the current one, with payload_bytes behind it. Flags as Task::Flag.
/// Ensures: data environment and finality are inherited; body, code, data and priority are the caller's to
/// set. body_code: what the compiler made of the task's body, for logs.
Task& new_task(Member& me, std::size_t payload_bytes, unsigned flags, const void* body_code = nullptr);

/// Publishes a task with its dependences. It runs when they are satisfied, here and now if too many are
/// queued. Ensures: ownership passes on; do not touch the task afterwards.
void submit(Member& me, Task& task, std::span<const Dependence> dependences);

/// How deep tasks run inside the creation of tasks, one in another.
inline constexpr int kDeepestInline = 64;

/// Publishes a task without dependences as a child of the current task's parent, which the current task, an
/// explicit one, thereby keeps incomplete. It is queued in any case. Ensures: as submit().
void submit_sibling(Member& me, Task& task);

/// An undeferred task is executed between these two by the thread that creates it.
/// begin waits for the dependences and makes the task the current one; end completes it.
void begin_undeferred(Member& me, Task& task, std::span<const Dependence> dependences);
void end_undeferred(Member& me, Task& task);

/// Waits for the children of the current task (OpenMP 5.2, section 15.5).
void taskwait(Member& me);

/// Waits for those siblings-to-be that the dependences name.
void taskwait_depend(Member& me, std::span<const Dependence> dependences);

/// Opens and closes a taskgroup region; closing waits for all tasks created in it and their descendants.
void taskgroup_begin(Member& me);
/// The same for a construct with reduction(task, ...), whose group is no taskgroup of the program.
void taskgroup_begin_of_construct(Member& me);
void taskgroup_end(Member& me);

/// Waits for the tasks of a group and their descendants.
void wait_for_group(Member& me, TaskGroup& group);

/// Lets others have a turn: the ready task that has waited longest, then suspended ones that may go on, then
/// those that yielded before; the current task goes on behind those. Without any it returns at once.
void taskyield(Member& me);

/// Fulfils the event of a detachable task; from any thread (OpenMP 5.2, section 18.11.1).
void fulfill_event(Task& task);
/// The same by the handle that the program has: the address of the task, a GraphEvent's or a
/// ContinuationEvent's.
void fulfill_event(void* handle);

// -- for waits (task_wait.hpp)
// -----------------------------------------------------------------------------------------

/// A task to execute here, or nullptr. Announces completions before it looks beyond the member's own queue.
/// A patient look may leave single tasks of other members where they are for a moment (StealPatience); one
/// elsewhere does not begin with the member's own. That one, and one in the foreground, which is patient,
/// take no background task.
enum class Look { kPatient, kLast, kElsewhere, kForeground };
Task* find_task(Member& me, Look look = Look::kPatient);

/// Tells parents and taskgroups of the completions that this member has gathered. A member gathers while it
/// executes one task after another of the same parent: whoever waits for one of them waits for the next, too.
void announce_completions(Member& me);

/// Executes a task. Returns a task that the caller should run next, or nullptr: one that this made ready, or
/// the same again where its body has more parts.
Task* execute(Member& me, Task& task);
/// The same where no queue has an entry of the task.
Task* execute_claimed(Member& me, Task& task);
/// What execute_claimed() does once the body has returned: ends the task, or leaves it to who fulfils its
/// event.
Task* end_body(Member& me, Task& task);
void make_ready(Member& me, Task& task);

/// The member that should run a task, since it has what the task works on at hand; this one where nobody has.
inline int home_of(const Member& me, const Task& task) {
  const HomeTable* const homes = me.team->homes.active();
  if (homes == nullptr || task.slot == HomeTable::kNoSlot) [[likely]]
    return me.number;
  const int home = homes->home_of(task.slot);
  return home >= 0 && home < me.team_size ? home : me.number;
}

/// What waits for new tasks, their parent aside, learns of them. group: theirs, or null.
inline void count_created(Member& me, TaskGroup* group, std::uint32_t count) {
  for (; group != nullptr; group = group->also) group->outstanding.add(count);
  me.tasks_created.store(me.tasks_created.load(std::memory_order_relaxed) + count, std::memory_order_relaxed);
  std::atomic<bool>& has_tasks = me.team->has_tasks;
  if (!has_tasks.load(std::memory_order_relaxed)) has_tasks.store(true, std::memory_order_relaxed);
}

/// A task that was executed at its creation, and that nobody counted, is a child like any other from now on.
/// Requires: its parent has not gone on, and so is in the group that the task is in.
inline void count_late(Member& me, Task& task) {
  task.parent->child_created();
  count_created(me, task.parent->group, 1);
}

/// HEDDLE_READY: whether all threads of a team share one queue of ready tasks, and take the oldest.
extern constinit std::atomic<bool> g_is_oldest_first;

/// Whether who completes a task may go on with one that has waited for it, and whether with this one.
inline bool takes_successors(const Member& me) {
  return !me.team->ready.has_urgent() && me.team->order == nullptr &&
         !g_is_oldest_first.load(std::memory_order_relaxed);
}
inline bool may_succeed(const Member& me, const Task& next) {
  return next.priority == 0 && (next.flags & Task::kHasHandle) == 0 && home_of(me, next) == me.number;
}

/// Executes a task and, one after the other, what each makes ready for this member, until stop() holds.
template <class Stop>
void execute_chain(Member& me, Task& first, Stop&& stop) {
  for (Task* task = execute(me, first); task != nullptr; task = execute(me, *task)) {
    if (!may_start(*task, me.rule()) || stop()) {
      make_ready(me, *task);
      return;
    }
  }
}

/// The same in the middle of another task: apart from it, where tasks may suspend, so that it can go on then.
template <class Stop>
void execute_meanwhile(Member& me, Task& first, Stop&& stop) {
  if (may_suspend()) [[unlikely]]
    run_apart(me, first);
  else
    execute_chain(me, first, stop);
}

/// The current task waits. Where it is one chunk of several that its member keeps (taskloop.hpp), others may
/// take the rest from now on: it may be one of them that it waits for.
[[gnu::cold]] void hand_on_kept_chunks(Member& me);
inline void before_wait(Member& me) {
  if (me.kept_chunks != nullptr) [[unlikely]]
    hand_on_kept_chunks(me);
}

/// Executes a task that no queue has, or of which the caller has claimed the start (task_handle.hpp), in the
/// middle of another.
void run_claimed(Member& me, Task& task);

/// Ends an undeferred task whose body has returned: its parent counts it as no child.
void leave_undeferred(Member& me, Task& task);

/// Frees the memory of a task that nobody needs any more, and of the ancestors that only it has kept.
void release_task(Task& task, MemoryCache& cache);

/// While it exists the member's current task is suspended: what may be started is constrained by it.
class Suspended {
 public:
  explicit Suspended(Member& me)
      : me_(me),
        constraint_(std::exchange(me.constraint, me.current)),
        wanted_(std::exchange(me.wanted, nullptr)) {}
  /// In a wait for just this, which is for latency where the task's environment says so.
  Suspended(Member& me, const Wanted& wanted) : Suspended(me) {
    if (me.current->environment->waits_for_latency) me.wanted = &wanted;
  }
  ~Suspended() {
    me_.constraint = constraint_;
    me_.wanted = wanted_;
  }
  Suspended(const Suspended&) = delete;
  Suspended& operator=(const Suspended&) = delete;

 private:
  Member& me_;
  Task* constraint_;
  const Wanted* wanted_;
};

/// While it exists nothing constrains what the member may start: tasks suspended in a barrier do not (OpenMP
/// 5.2, section 12.9).
class Unconstrained {
 public:
  explicit Unconstrained(Member& me)
      : me_(me),
        constraint_(std::exchange(me.constraint, nullptr)),
        wanted_(std::exchange(me.wanted, nullptr)) {}
  ~Unconstrained() {
    me_.constraint = constraint_;
    me_.wanted = wanted_;
  }
  Unconstrained(const Unconstrained&) = delete;
  Unconstrained& operator=(const Unconstrained&) = delete;

 private:
  Member& me_;
  Task* constraint_;
  const Wanted* wanted_;
};

/// Drops what the current implicit task knows of its children's dependences, at the end of a region.
void forget_dependences(Member& me, Task& task);

}  // namespace heddle
