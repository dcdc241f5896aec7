// What a worksharing construct of GCC may ask the team to share: the private copies of reduction(task, …)
// items, and zeroed memory for scan and lastprivate(conditional:).
#pragma once

#include <cstdint>

namespace heddle::gomp {

/// Called by all threads as they enter the construct. reductions: descriptors (task_reduction.hpp), completed
/// with the shared memory, which also opens a taskgroup; or null. memory: in, the bytes wanted, cast to a
/// pointer; out, the shared memory; or null.
void share_with_team(std::uintptr_t* reductions, void** memory);

}  // namespace heddle::gomp
