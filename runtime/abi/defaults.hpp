// What holds where the program leaves a choice open: internal control variables (OpenMP 5.2, section 2.4).
#pragma once

#include "icv/icvs.hpp"
#include "loop/workshare.hpp"
#include "mem/allocator.hpp"
#include "team/team.hpp"

namespace heddle {

/// What a null handle stands for: def-allocator-var of the current task.
inline AllocatorHandle or_default(AllocatorHandle allocator) {
  return allocator != kNullAllocator ? allocator : environment_of(this_member()).allocator;
}

// How many teams a teams construct gets, and how many threads each (OpenMP 5.2, section 10.2).

/// `requested`: the num_teams clause, 0 where there is none. otherwise: where nobody has chosen; one team
/// with all threads is the best the host can do.
inline int league_size(int requested, int otherwise = 1) {
  if (requested > 0) return requested;
  const int chosen = device_icvs().num_teams.load();
  return chosen > 0 ? chosen : otherwise;
}

/// `requested`: the thread_limit clause, 0 where there is none. Returns 0 where nothing limits.
inline int league_thread_limit(int requested) {
  return requested > 0 ? requested : device_icvs().teams_thread_limit.load();
}

/// schedule(runtime): what OMP_SCHEDULE or omp_set_schedule chose. `otherwise` is the kind used where nobody
/// chose: dynamic for programs of GCC, static for those of Clang, as under the runtimes these compilers come
/// with.
inline Schedule run_schedule(const Member& me, ScheduleKind otherwise) {
  const DataEnvironment& environment = environment_of(me);
  if (!environment.has_run_schedule) return {otherwise, 0};
  return {environment.run_kind, static_cast<std::uint64_t>(environment.run_chunk)};
}

}  // namespace heddle
