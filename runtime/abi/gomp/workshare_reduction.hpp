// What a worksharing construct of GCC may ask the team to share: the private copies of reduction(task, …)
// items, and zeroed memory for scan and lastprivate(conditional:).
#pragma once

#include <cstdint>

#include "team/team.hpp"

namespace heddle::gomp {

/// Called by all threads as they enter the construct. reductions: descriptors (task_reduction.hpp), completed
/// with the shared memory, which also opens a taskgroup; or null. memory: in, the bytes wanted, cast to a
/// pointer; out, the shared memory; or null.
void share_with_team(std::uintptr_t* reductions, void** memory);

/// Leaves the loop and what else the construct had a workshare for; no barrier.
void leave_loop(Member& me);

}  // namespace heddle::gomp
