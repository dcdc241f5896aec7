// Executing what a taskgraph region has recorded.
#pragma once

#include "graph/instance.hpp"
#include "team/team.hpp"

namespace heddle {

/// The body of an instance's tasks.
void run_segment(Task& task);

/// Executes the graph's tasks as children of the current task, and waits for them and their descendants.
/// Requires: no other replay of the instance is going on.
/// Cost: no allocation of memory, no lock, and nothing that grows with the number of dependences of a task.
void replay(Member& me, GraphInstance& instance);

}  // namespace heddle
