// The internal control variables of the current task (OpenMP 5.2, section 2.4; icv/data_environments.hpp).
#pragma once

#include "team/current_environment.hpp"
#include "team/team.hpp"

namespace heddle {

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
