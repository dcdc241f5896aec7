// A workload executed by a team of simulated threads under libheddle's rules.
//
// The ready set, the dependence tables and the policy of where tasks go are the runtime's own code
// (runtime/sched, runtime/deps); what is simulated is time: that of the program's work, from the workload,
// and that of the runtime's own, from Costs. Left out: locality by home (sched/home_table.hpp), priorities,
// suspension.
#pragma once

#include "simulate/engine/costs.hpp"
#include "simulate/engine/outcome.hpp"
#include "simulate/workload/workload.hpp"

namespace heddle::simulate {

struct Setting {
  int workers = 1;
  Costs costs{};
  bool has_timeline = false;
};

/// Requires: the workload is one of read_workload(). Errors: throws UserError where it does not end (tasks
/// wait for each other in a ring, a lock is not given back), or a region needs another number of threads.
Outcome simulate(const Workload& workload, const Setting& setting);

}  // namespace heddle::simulate
