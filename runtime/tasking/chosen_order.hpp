// Executing the tasks of a team whose order is chosen (sched/team_order.hpp): what tasking.cpp does there
// instead.
#pragma once

#include <memory>

#include "sched/team_order.hpp"
#include "team/team.hpp"

namespace heddle {

/// For a new team; null where the environment leaves the order to the runtime.
std::unique_ptr<TeamOrder> make_team_order();

/// The current task has come to a point where it can go on: other tasks may be executed before it does.
/// Returns whether one was.
bool stand_at_point(Member& me);

/// Calls the task's body. Requires: task is the current one.
void run_body_in_order(Member& me, Task& task);

}  // namespace heddle
