// The team's barriers.
#pragma once

#include "team/team.hpp"

namespace heddle {

/// Waits for the whole team and until all explicit tasks of the team are complete; executes tasks meanwhile.
void barrier(Member& me);

/// The same where the region may be cancelled. Returns true where it is: the thread goes to the region's end.
bool cancellable_barrier(Member& me);

}  // namespace heddle
