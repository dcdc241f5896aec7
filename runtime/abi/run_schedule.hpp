// schedule(runtime): what OMP_SCHEDULE or omp_set_schedule chose, or the default of the compiler that built
// the program.
#pragma once

#include "loop/workshare.hpp"
#include "team/team.hpp"

namespace heddle {

/// `otherwise` is the kind used where nobody chose: dynamic for programs of GCC, static for those of Clang,
/// as under the runtimes these compilers come with.
inline Schedule run_schedule(const Member& me, ScheduleKind otherwise) {
  const DataEnvironment& environment = environment_of(me);
  if (!environment.has_run_schedule) return {otherwise, 0};
  return {environment.run_kind, static_cast<std::uint64_t>(environment.run_chunk)};
}

}  // namespace heddle
