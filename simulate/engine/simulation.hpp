// A workload executed in simulated time, from its begin to its end.
#pragma once

#include "simulate/engine/outcome.hpp"
#include "simulate/engine/setting.hpp"
#include "simulate/workload/workload.hpp"

namespace heddle::simulate {

/// Requires: the workload is one of read_workload(). Errors: throws UserError where it does not end (tasks
/// wait for each other in a ring, a lock is not given back), or a region needs another number of threads.
Outcome simulate(const Workload& workload, const Setting& setting);

}  // namespace heddle::simulate
