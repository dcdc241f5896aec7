// What a tool is told of a graph's execution: it looks like one of the tasks that were recorded.
#pragma once

#include "graph/instance.hpp"
#include "team/team.hpp"

namespace heddle {

/// Makes the tasks of an execution that has begun, and tells observers of them as if the current task had
/// created them. A tool is told each edge of the graph as a dependence of its two tasks, on an address of its
/// own, and a join as a task without code. Requires: Member::is_observed; each segment has one node.
void tell_tasks(Member& me, GraphInstance& instance);

}  // namespace heddle
