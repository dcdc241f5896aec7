// Tasks that their creator executes before it goes on: if(0), final, and the like.
#pragma once

#include <span>

#include "deps/access.hpp"
#include "team/team.hpp"

namespace heddle {

/// An undeferred task is executed between these two by the thread that creates it.
/// begin waits for the dependences and makes the task the current one; end completes it, or lets it wait for
/// its event where it has one.
void begin_undeferred(Member& me, Task& task, std::span<const Dependence> dependences);
void end_undeferred(Member& me, Task& task);

}  // namespace heddle
