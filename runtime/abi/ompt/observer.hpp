// What a tool is told of what happens (OpenMP 5.2, section 19.5).
#pragma once

#include "team/team.hpp"
#include "trace/observer.hpp"

namespace heddle::ompt {

/// The one that calls the tool back.
Observer& tool_observer();

/// A thread whose team was made while the tool was started becomes known to it.
void observe_from_now(Worker& worker);

/// The tool is about to be finalised, by the thread of this worker: it learns the ends that it does not know.
void end_program(Worker& worker);

}  // namespace heddle::ompt
