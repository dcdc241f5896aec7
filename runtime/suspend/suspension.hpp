// Suspending tasks: a task that must wait leaves its thread, with the stack it stands on, and the thread goes
// on with others at once, on a stack from its pool.
//
// Words: see team/suspended.hpp. The *base* of a pooled stack executes tasks until some suspended task is
// next, and gives its stack back; so nobody ever waits below another on a pooled stack. A task that
// runs on a stack of its own may suspend, and the context that has started it goes on then.
//
// Invariants: a suspended task goes on with the thread that it left, in the same place of the same team, and
// nothing but its Suspension is touched from outside. A program in which no task suspends takes no stack.
//
// Source: Pereira, Martin, Roussel, Carribault and Gautier, "Suspending OpenMP tasks on asynchronous events",
// IWOMP 2023. Unlike a taskwait (OpenMP 5.2, section 12.9) it does not constrain which tasks may be started
// meanwhile: docs/decisions/0004-suspended-tasks-do-not-constrain.md.
#pragma once

#include <cstdint>
#include <span>

#include "team/suspended.hpp"
#include "team/team.hpp"

namespace heddle {

/// Leaves the calling thread until somebody has called resume(self), which may have happened already.
/// Requires: the thread that is to resume it can reach self. Threads: that of self.member, in that place.
void suspend(Suspension& self);

/// The suspended task goes on as soon as its thread comes to a scheduling point; sleepers are woken.
/// Ensures: do not touch it afterwards. Threads: any. Cost: at most one system call.
void resume(Suspension& suspension);

/// Executes a task that the caller has taken from the queues, on another stack; returns when it has ended or
/// left.
void run_on_own_stack(Member& me, Task& task);

/// Whether there is a stack for a task of its own. Where there is none the task runs on top of the caller,
/// which cannot go on before its end, even if the task waits for what the caller is about to do.
bool can_leave(Member& me);

/// Executes, at its creation and on its own stack, a task without dependences that is not counted yet: a
/// child of the current task as soon as it leaves its thread. Returns false, and does nothing, where there is
/// no stack for it.
bool run_inline_on_own_stack(Member& me, Task& task);

/// Suspends the current task for others' turns: `task`, if there is one, then those that are next.
void yield_to(Member& me, Task* task);

/// In a wait that is not left: the next suspended task goes on, and the caller when that has ended or left.
void let_next_go_on(Member& me);

/// Whether the place's thread should leave what it does for a suspended task that may go on.
inline bool has_next(const Member& me) {
  return me.suspended.has_next() ||
         (!me.suspended.creators.is_empty() && !me.team->ready.holds(me.number, 1));
}

/// Of those that were left for a task at its creation the newest goes on in its turn, as if it had yielded.
void give_creator_a_turn(Member& me);

// -- for tasks that belong to no team (suspend/spawned.hpp)

// -- the thread acts in `place` meanwhile; it goes there from the current context of `from`, which may be the
// same, and is next there. Requires: it acts in `place` already (Worker::member).

/// Executes the spawned task, or goes on in it; returns when it has ended or left.
void go_on_in(Member& from, Member& place, SpawnedTask& spawned);
/// The next suspended task of `place` goes on. Returns false where there is none.
bool let_next_go_on_in(Member& from, Member& place);
/// Executes a task of `place` as run_on_own_stack() does.
void run_on_own_stack_in(Member& from, Member& place, Task& task);

/// Leaves a spawned task's context for the one that is next, or for whatever there is to do. Returns when
/// some thread has gone on in it.
void leave_spawned(SpawnedTask& spawned);

// -- whether tasks of this process suspend

/// Where they do, nothing that can be put off is executed on top of another task, which could not go on if it
/// suspended. So a program whose tasks do not suspend never pays for that.
inline bool may_suspend() {
  return g_reasons.has(Reason::kMaySuspend);
}

/// From now on they may. Cost: a load where they might before.
inline void expect_suspension() {
  if (!may_suspend()) [[unlikely]]
    g_reasons.add(Reason::kMaySuspend);
}

/// The functions by which programs suspend tasks: a program that is linked with one expects to.
void set_suspending_functions(std::span<const char* const> names);
/// Looks whether anything that is loaded is linked with one of them. Cost: little where nothing has been
/// loaded since it last looked.
void look_for_suspending_functions();

// Suspended tasks that go on at a certain time.

/// `self` is next at `due`, on the monotonic clock. Threads: its member's, as for the others.
void add_sleeper(Member& me, Suspension& self, std::int64_t due);

/// Of the member's sleeping tasks those that are due become next. Returns whether there were any.
bool wake_sleepers(Member& me, std::int64_t now);

/// When the first is due, on the monotonic clock; INT64_MAX where none sleeps.
std::int64_t next_sleeper_due(const Member& me);

// HEDDLE_LOG=stacks: what the stacks of suspended tasks cost, said at the end of the program.

/// Where it was asked for. Threads: once in a process.
void log_stacks_at_exit();

}  // namespace heddle
