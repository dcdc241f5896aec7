// taskyield: others get a turn.
#pragma once

#include "team/team.hpp"

namespace heddle {

/// Lets others have a turn: the ready task that has waited longest, then suspended ones that may go on, then
/// those that yielded before; the current task goes on behind those. Without any it returns at once.
void taskyield(Member& me);

}  // namespace heddle
