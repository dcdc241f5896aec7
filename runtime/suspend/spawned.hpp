// Spawned tasks at work: made, executed, and blocked.
//
// A thread executes them in its *spawn place*, a team of its own and of one, which it *visits* from wherever
// it is: so what they create belongs to no region, and waits for nobody but them. From inside a parallel
// region of a spawned task it goes on in others, but in nothing else of the place: regions end in the reverse
// of their order.
#pragma once

#include <cstdint>

#include "suspend/spawned_task.hpp"
#include "team/team.hpp"

namespace heddle {

// Where a worker executes spawned tasks: a team of its own and of one, which is nobody's region.

/// Made at first use. Threads: the worker's.
Member& spawn_place(Worker& worker);

/// Whether anything is left to be done there by its worker.
bool has_work_in_spawn_place(const Member& place);

/// Makes one ready. Threads: any that may be a member.
void spawn(Member& me, void (*body)(void*), void* argument, void (*completed)(void*),
           void* completed_argument, const char* label);

/// Goes on in one that is ready or due, and in what such tasks have left to do with this thread: one step of
/// each. Returns whether there was anything.
bool poll_spawned(Member& me, std::int64_t now);
/// When this thread should look after what spawned tasks have left to do with it: INT64_MAX where there is
/// nothing.
std::int64_t next_due_in_spawn_place(const Member& me);

/// Of the current task, a spawned one.
void block_spawned(SpawnedTask& spawned);
void sleep_spawned(SpawnedTask& spawned, std::int64_t ns);

}  // namespace heddle
