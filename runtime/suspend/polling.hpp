// Pollers at work: threads that find no task call those that are due, and so do the others at scheduling
// points.
//
// Invariant: where a thread sleeps that was announced after a poller was registered, a thread of its team
// watches (sched/watch.hpp), or has left its watch and is about to sleep again, or to hand it on
// (team/searching.hpp).
#pragma once

#include <cstdint>

#include "sched/poller_slot.hpp"
#include "suspend/attention.hpp"

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
bool attend(Member& me);

/// Sleeps as Parking::sleep() does; where tasks of its own sleep, until the first is due; where there are
/// pollers and nobody of the team watches, until the next is due.
/// Requires: me is announced. Returns whether it searches now.
bool sleep(Member& me);

/// In the child of a fork.
void forget_other_pollers();

}  // namespace heddle
