// Tasks that their creator executes before it goes on: if(0), final, and the like.
#pragma once

#include <span>
#include <utility>

#include "deps/access.hpp"
#include "sys/processor.hpp"
#include "team/team.hpp"

namespace heddle {

/// An undeferred task is executed between these two by the thread that creates it.
/// begin waits for the dependences and makes the task the current one; end completes it, or lets it wait for
/// its event where it has one.
void begin_undeferred(Member& me, Task& task, std::span<const Dependence> dependences);
void end_undeferred(Member& me, Task& task);

// -- tasks that are executed at their creation although they might be deferred: their creator has no other
// thread in its team, or enough tasks queued
//
// Nobody looks at most of such a task. So it takes the Task of one that ended before, which is as
// good as new where nothing of that goes on. Invariant: Member::spare_undeferred lists Tasks that are plain,
// without extensions, from the cache of the worker that serves the place; they go back before it leaves.

/// Around the execution of a task at its creation: a serial creator looks at the clock now and then.
class SerialCreationSample {
 public:
  explicit SerialCreationSample(Member& me) : me_(me) {
    if (me.policy.serial_creation.is(me.context.task)) me.policy.serial_creation.begins();
  }
  // Out of line it would have the sample in memory, for each task.
  [[gnu::always_inline]] ~SerialCreationSample() {
    if (me_.policy.serial_creation.is(me_.context.task)) me_.policy.serial_creation.executed();
  }
  SerialCreationSample(const SerialCreationSample&) = delete;
  SerialCreationSample& operator=(const SerialCreationSample&) = delete;

 private:
  Member& me_;
};

// What a spare task has behind it, so that it fills a block of 256 bytes.
inline constexpr std::size_t kSparePayloadBytes = 256 - sizeof(Task);

/// A fresh task for execute_inline().
[[gnu::cold]] Task& new_undeferred(Member& me, unsigned flags);
/// Ends one of which something goes on.
[[gnu::cold]] void end_inline_task(Member& me, Task& task);

/// Whether nothing goes on of a task whose body has returned, and which nobody counted.
inline bool is_as_new(const Task& task) {
  constexpr unsigned kMore = Task::kHasChildTable | Task::kRetainsParent | Task::kHasExtensions;
  return (task.flags & kMore) == 0 && task.is_plain();
}

/// Executes run() as `task`, a child of the current one that is undeferred and was not published.
template <class Run>
void run_within(Member& me, Task& task, Run&& run) {
  const SerialCreationSample sample(me);
  Task& creator = *me.context.task;
  Task* const constraint = me.context.begin_inline(task);
  run();
  me.context.end_inline(creator, constraint);
  me.policy.serial_creation.forget_creator(task);
}
/// The same, timed for the cut-off of recursions.
template <class Run>
[[gnu::noinline]] void run_timed(Member& me, Task& task, Run run) {
  const std::uint64_t since = me.policy.cutoff.executed();
  const std::uint64_t began = ticks();
  run_within(me, task, run);
  me.policy.cutoff.judge(nanoseconds(ticks() - began), since);
}
/// Returns whether nothing goes on of it: otherwise the caller says end_inline_task(). Requires:
/// Where::kInline.
template <class Run>
bool run_inline(Member& me, Task& task, Run run) {
  if (me.team_size > 1 && me.policy.cutoff.is_due()) [[unlikely]]
    run_timed(me, task, run);
  else
    run_within(me, task, run);
  return is_as_new(task);
}

/// Executes run() as a child of the current task, without data of its own.
/// Requires: Where::kInline; the current task is not final. flags: of Task.
template <class Run>
void execute_inline(Member& me, unsigned flags, Run&& run) {
  Task* task = me.spare_undeferred;
  if (task != nullptr) [[likely]] {
    me.spare_undeferred = task->next;
    task->renew(*me.context.task, flags | Task::kUndeferred);
  } else {
    task = &new_undeferred(me, flags);
  }
  if (run_inline(me, *task, run)) [[likely]]
    task->next = std::exchange(me.spare_undeferred, task);
  else
    end_inline_task(me, *task);
}

/// The same as a task of new_task(), which ends with it.
template <class Run>
void execute_inline(Member& me, Task& task, Run&& run) {
  task.flags.set(Task::kUndeferred);
  task.owner.store(static_cast<std::uint16_t>(me.number));
  if (run_inline(me, task, run)) [[likely]]
    me.cache->release(&task, task.bytes, *me.cache);
  else
    end_inline_task(me, task);
}

/// A task for Where::kOwnStack: as new_task() makes it, and maybe one that ended before.
Task& new_inline_on_own_stack(Member& me, std::size_t payload_bytes, unsigned flags);
/// Ends one that has not left its thread.
void end_inline_on_own_stack(Member& me, Task& task);

/// Gives the spare tasks of a place back. Threads: the one that serves it.
void forget_spare_tasks(Member& place);

}  // namespace heddle
