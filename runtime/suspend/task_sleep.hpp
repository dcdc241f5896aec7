// Tasks that sleep for a time, while their thread does something else.
//
// Invariant: a thread that sleeps with tasks of its own asleep wakes when the first of them is due.
#pragma once

#include <cstdint>

#include "team/team.hpp"

namespace heddle {

/// Suspends the current task for so many nanoseconds, or longer: until its thread comes to a scheduling
/// point. Returns how long it was. lock: what it waits for; null: the time alone.
std::int64_t sleep_task(Member& me, std::int64_t ns, const void* lock = nullptr);

}  // namespace heddle
