// A worker takes a place in a team, and begins its part of a region.
#pragma once

#include "team/team.hpp"

namespace heddle {

/// The worker acts in that place from now on. Threads: the worker's.
void take_place(Worker& worker, Member& place);

/// The member's implicit task is the current one from now on, and nothing of the region before is left.
/// Requires: the region's team is ready.
void start_implicit_task(Member& place);

}  // namespace heddle
