// Changing the internal control variables of a task (OpenMP 5.2, section 2.4).
//
// Words: tasks *share* a data environment: a child takes its parent's by pointer, and who changes one gets a
// copy of its own. Invariant: an environment that another task may read is not written any more; the copies
// of a member live to the end of its region, which no task of the region outlives.
#pragma once

#include <memory>
#include <vector>

#include "task/data_environment.hpp"

namespace heddle {

struct Member;

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

/// Gives the current task these internal control variables.
void set_environment(Member& me, const DataEnvironment& wanted);

/// Changes those of the current task: change(DataEnvironment&).
template <class Change>
void change_environment(Member& me, Change&& change);

/// Those of the current task.
const DataEnvironment& environment_of(const Member& me);

template <class Change>
void change_environment(Member& me, Change&& change) {
  DataEnvironment wanted = environment_of(me);
  change(wanted);
  set_environment(me, wanted);
}

}  // namespace heddle
