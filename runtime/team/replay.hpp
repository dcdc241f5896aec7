// Executing what a taskgraph region has recorded.
#pragma once

#include "graph/instance.hpp"
#include "team/team.hpp"

namespace heddle {

/// The body of the tasks of a graph's instances.
Task::Body body_of_segments(const Graph& graph);

/// Begins to execute the graph's tasks as children of the current task. counts_too: see TaskGroup.
/// Requires: no other replay of the instance is going on; the one before it in its ring was started.
/// Cost: no allocation of memory, no lock, and nothing that grows with the number of dependences of a task.
void start(Member& me, GraphInstance& instance, TaskGroup* counts_too);
/// Waits for them and their descendants.
void wait_for(Member& me, GraphInstance& instance);

}  // namespace heddle
