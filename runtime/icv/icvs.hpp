// Changing the internal control variables of a task (OpenMP 5.2, section 2.4).
//
// Words: tasks *share* a data environment: a child takes its parent's by pointer, and a task that changes one
// gets a copy of its own. Invariant: an environment that another task may read is not written any more; the
// copies of a member live to the end of its region, which no task of the region outlives.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "base/relaxed_atomic.hpp"
#include "icv/settings.hpp"
#include "task/data_environment.hpp"

namespace heddle {

class DataEnvironments {
 public:
  /// A place for `wanted` until forget(); the newest one again where that is the same.
  DataEnvironment& keep(const DataEnvironment& wanted) {
    if (copies_.empty() || *copies_.back() != wanted)
      copies_.push_back(std::make_unique<DataEnvironment>(wanted));
    return *copies_.back();
  }
  bool keeps(const DataEnvironment* environment) const {
    return !copies_.empty() && copies_.back().get() == environment;
  }
  /// Requires: the region is over.
  void forget() { copies_.clear(); }

 private:
  std::vector<std::unique_ptr<DataEnvironment>> copies_;
};

// The internal control variables that a device has once, and that programs may change at any time: OpenMP
// 5.2, section 2.4. They start as the environment says.

struct DeviceIcvs {
  RelaxedAtomic<int> num_teams;           // nteams-var; 0: nobody chose
  RelaxedAtomic<int> teams_thread_limit;  // teams-thread-limit-var; 0: nobody chose
  RelaxedAtomic<std::size_t>
      stack_bytes;  // stacksize-var, of threads yet to be started; 0: the system's default
};

/// Those of the host. Threads: any; each value is independent of the others.
inline DeviceIcvs& device_icvs() {
  static DeviceIcvs host{settings().num_teams, settings().teams_thread_limit, settings().stack_bytes};
  return host;
}

}  // namespace heddle
