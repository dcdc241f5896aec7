// Where a worker executes spawned tasks: a team of its own and of one, which is nobody's region.
#pragma once

#include "team/team.hpp"

namespace heddle {

/// Made at first use. Threads: the worker's.
Member& spawn_place(Worker& worker);

/// Whether anything is left to be done there by its worker.
bool has_work_in_spawn_place(const Member& place);

}  // namespace heddle
