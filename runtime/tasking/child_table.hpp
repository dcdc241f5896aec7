// What a task knows of its children's dependences.
#pragma once

#include "deps/dependence_table.hpp"
#include "team/team.hpp"

namespace heddle {

/// The current task's table; made at its first child with dependences.
DependenceTable& table_of(Member& me, Task& task);

/// Drops it: at the end of the task, or of the region whose implicit task it is.
void forget_dependences(Member& me, Task& task);

}  // namespace heddle
