// Pollers at work: threads that find no task call those that are due, and so do the others at scheduling
// points.
//
// Invariant: where a thread sleeps that was announced after a poller was registered, a thread of its team
// watches (sched/pollers.hpp), or has left its watch and is about to sleep again, or to hand it on
// (team/wait.hpp).
#pragma once

#include <cstdint>

#include "sched/pollers.hpp"
#include "suspend/poll_count.hpp"
#include "team/team.hpp"

namespace heddle {

struct Member;

/// How many there can be at a time.
inline constexpr int kMostPollers = 64;

/// Registers a poller of this process. Returns nullptr where kMostPollers are there already.
PollerSlot<>* add_poller(Member& me, const Poller& poller);
void remove_poller(PollerSlot<>& slot);
/// Whether the calling thread is inside a poller.
bool is_in_poller();

/// Calls the pollers that are due, wakes the member's own tasks that are, and executes a spawned one that is
/// ready. Returns whether there were any.
/// Cost: one look at the clock, and one at each poller.
bool poll(Member& me);

/// Sleeps as Parking::sleep() does; where tasks of its own sleep, until the first is due; where there are
/// pollers and nobody of the team watches, until the next is due.
/// Requires: me is announced. Returns whether it searches now.
bool sleep(Member& me);

/// In the child of a fork.
void forget_other_pollers();

// Tasks that sleep for a time, while their thread does something else.
//
// Invariant: a thread that sleeps with tasks of its own asleep wakes when the first of them is due.

/// Suspends the current task for so many nanoseconds, or longer: until its thread comes to a scheduling
/// point. Returns how long it was. lock: what it waits for; null: the time alone.
std::int64_t sleep_task(Member& me, std::int64_t ns, const void* lock = nullptr);

}  // namespace heddle
