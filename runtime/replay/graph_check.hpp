// HEDDLE_CHECK=graph: says where a region differs from its record, which a replay would not notice.
#pragma once

#include "graph/task_log.hpp"
#include "replay/graph_table.hpp"

namespace heddle {

/// Compares what the region did in this execution with the slot's record, and tells of what differs: in
/// HEDDLE_CHECK_LOG where there is one, else on standard error, each kind of difference of a task's construct
/// once, and a summary when the program ends. now: null where the region did what cannot be recorded.
/// relocates: what tasks share is found anew each time, so their data may differ. Requires: the caller has
/// made the slot busy. Threads: any.
void check_record(GraphSlot& slot, const TaskLog* now, bool relocates);

}  // namespace heddle
