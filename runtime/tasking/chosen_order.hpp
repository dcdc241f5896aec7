// Executing the tasks of a team whose order is chosen (sched/team_order.hpp): what is done there
// in place of what execution.cpp does.
#pragma once

#include "team/team.hpp"

namespace heddle {

/// Before what the order decides: so long as it says (HEDDLE_ORDER).
void hesitate(Member& me);

/// Calls the task's body. Requires: task is the current one.
void run_body_in_order(Member& me, Task& task);

}  // namespace heddle
