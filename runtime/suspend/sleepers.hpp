// Suspended tasks that go on at a certain time.
#pragma once

#include <cstdint>

#include "team/team.hpp"

namespace heddle {

/// `self` is next at `due`, on the monotonic clock. Threads: its member's, as for the others.
void add_sleeper(Member& me, Suspension& self, std::int64_t due);

/// Of the member's sleeping tasks those that are due become next. Returns whether there were any.
bool wake_sleepers(Member& me, std::int64_t now);

/// When the first is due, on the monotonic clock; INT64_MAX where none sleeps.
std::int64_t next_sleeper_due(const Member& me);

}  // namespace heddle
