// Tasks that are executed at their creation although they might be deferred: their creator is alone in its
// team, or has enough tasks queued.
//
// Most of what such a task is, nobody looks at. So it takes the Task of one that ended before, which is as
// good as new where nothing of that goes on. Invariant: Member::spare_undeferred lists Tasks that are plain,
// without extensions, from the cache of the worker that serves the place; they go back before it leaves.
#pragma once

#include <utility>

#include "sys/ticks.hpp"
#include "team/team.hpp"

namespace heddle {

/// Takes the length of a task that is executed at its creation, of some. Lives as long as that.
class AtOnceSample {
 public:
  explicit AtOnceSample(Member& me) : me_(me) {
    if (me.policy.alone.is(me.current)) me.policy.alone.begins();
    if (me.team_size > 1 && me.policy.cutoff.is_due()) [[unlikely]] {
      since_ = me.policy.cutoff.executed();
      began_ = ticks();
    }
  }
  ~AtOnceSample() {
    if (me_.policy.alone.is(me_.current)) me_.policy.alone.executed();
    if (began_ != 0) [[unlikely]]
      me_.policy.cutoff.judge(nanoseconds(ticks() - began_), since_);
  }
  AtOnceSample(const AtOnceSample&) = delete;
  AtOnceSample& operator=(const AtOnceSample&) = delete;

 private:
  Member& me_;
  std::uint64_t began_ = 0;
  std::uint64_t since_ = 0;
};

/// The task becomes the current one, inside the one that was. Returns the constraint to be put back at its
/// end.
inline Task* enter_undeferred(Member& me, Task& task) {
  Task* const constraint = me.constraint;
  me.constraint = me.current;
  me.current = &task;
  ++me.inline_depth;
  return constraint;
}

// What a spare task has behind it, so that it fills a block of 256 bytes.
inline constexpr std::size_t kSparePayloadBytes = 256 - sizeof(Task);

/// A fresh task for execute_at_once().
[[gnu::cold]] Task& new_undeferred(Member& me, unsigned flags);
/// Ends one of which something goes on.
[[gnu::cold]] void end_at_once(Member& me, Task& task);

/// Whether nothing goes on of a task whose body has returned, and which nobody counted.
inline bool is_as_new(const Task& task) {
  constexpr unsigned kMore = Task::kHasChildTable | Task::kKeepsParent | Task::kHasExtensions;
  return (task.flags & kMore) == 0 && task.is_plain();
}

/// Executes run() as `task`, a child of the current one that is undeferred and was not published.
/// Returns whether nothing goes on of it: otherwise the caller says end_at_once(). Requires: Where::kInline.
template <class Run>
bool run_unsampled(Member& me, Task& task, Run&& run) {
  Task* const creator = me.current;
  Task* const constraint = enter_undeferred(me, task);
  run();
  me.current = creator;
  me.constraint = constraint;
  --me.inline_depth;
  me.policy.alone.forget_creator(task);
  return is_as_new(task);
}
template <class Run>
[[gnu::noinline]] bool run_sampled(Member& me, Task& task, Run&& run) {
  const AtOnceSample sample(me);
  return run_unsampled(me, task, run);
}
template <class Run>
bool run_at_once(Member& me, Task& task, Run&& run) {
  // Nobody would have the tasks that a team of one shared.
  return me.team_size == 1 ? run_unsampled(me, task, run) : run_sampled(me, task, run);
}

/// Executes run() as a child of the current task, without data of its own.
/// Requires: Where::kInline; the current task is not final. flags: of Task.
template <class Run>
void execute_at_once(Member& me, unsigned flags, Run&& run) {
  Task* task = me.spare_undeferred;
  if (task != nullptr) [[likely]] {
    me.spare_undeferred = task->next;
    task->renew(*me.current, flags | Task::kUndeferred);
  } else {
    task = &new_undeferred(me, flags);
  }
  if (run_at_once(me, *task, run)) [[likely]]
    task->next = std::exchange(me.spare_undeferred, task);
  else
    end_at_once(me, *task);
}

/// The same as a task of new_task(), which ends with it.
template <class Run>
void execute_at_once(Member& me, Task& task, Run&& run) {
  task.flags.set(Task::kUndeferred);
  task.owner.store(static_cast<std::uint16_t>(me.number), std::memory_order_relaxed);
  if (run_at_once(me, task, run)) [[likely]]
    me.cache->release(&task, task.bytes, *me.cache);
  else
    end_at_once(me, task);
}

/// A task for Where::kOwnStack: as new_task() makes it, and maybe one that ended before.
Task& new_apart_at_once(Member& me, std::size_t payload_bytes, unsigned flags);
/// Ends one that has not left its thread.
void end_apart_at_once(Member& me, Task& task);

/// Gives the spare tasks of a place back. Threads: the one that serves it.
void forget_spare_tasks(Member& place);

}  // namespace heddle
