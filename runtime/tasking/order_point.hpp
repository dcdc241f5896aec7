// Points at which a task whose team has a chosen order can go on (tasking/chosen_order.hpp).
#pragma once

#include "team/team.hpp"

namespace heddle {

/// The current task has come to a point where it can go on: other tasks may be executed before it does.
/// Returns whether one was.
bool stand_at_point(Member& me);

}  // namespace heddle
