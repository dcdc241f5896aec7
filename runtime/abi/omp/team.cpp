// Threads, teams and levels: OpenMP 5.2, sections 18.1 and 18.2.
#include <algorithm>

#include "abi/omp/export.hpp"
#include "abi/omp/routines.hpp"
#include "icv/settings.hpp"
#include "sys/fatal.hpp"
#include "sys/machine.hpp"
#include "team/team.hpp"

using namespace heddle;

namespace {

const DataEnvironment& environment() {
  return environment_of(this_member());
}

/// The member that stands for this thread `level` regions deep, or null where there is no such level.
const Member* ancestor(int level) {
  const Member* member = &this_member();
  if (level < 0 || level > member->team->level) return nullptr;
  while (member->team->level > level) member = member->team->encountering;
  return member;
}

}  // namespace

HEDDLE_EXPORT void omp_set_num_threads(int threads) {
  if (threads < 1) {
    warn("omp_set_num_threads(%d): the number must be positive; ignored", threads);
    return;
  }
  change_environment(this_member(),
                     [&](DataEnvironment& e) { e.num_threads = std::min(threads, Task::kMaxTeam - 1); });
}
HEDDLE_EXPORT int omp_get_num_threads() {
  return this_member().team->size;
}
HEDDLE_EXPORT int omp_get_max_threads() {
  return environment().num_threads;
}
HEDDLE_EXPORT int omp_get_thread_num() {
  return this_member().number;
}
HEDDLE_EXPORT int omp_get_num_procs() {
  return settings().processors;
}
HEDDLE_EXPORT int omp_in_parallel() {
  return this_member().team->active_level > 0;
}
HEDDLE_EXPORT void omp_set_dynamic(int is_dynamic) {
  change_environment(this_member(), [&](DataEnvironment& e) { e.is_dynamic = is_dynamic != 0; });
}
HEDDLE_EXPORT int omp_get_dynamic() {
  return environment().is_dynamic;
}
HEDDLE_EXPORT int omp_get_cancellation() {
  return settings().is_cancellable;
}
HEDDLE_EXPORT void omp_set_nested(int is_nested) {
  change_environment(this_member(),
                     [&](DataEnvironment& e) { e.max_active_levels = is_nested != 0 ? 255 : 1; });
}
HEDDLE_EXPORT int omp_get_nested() {
  return environment().max_active_levels > 1;
}
HEDDLE_EXPORT int omp_get_thread_limit() {
  return environment().thread_limit;
}
HEDDLE_EXPORT int omp_get_supported_active_levels() {
  return 255;
}
HEDDLE_EXPORT void omp_set_max_active_levels(int levels) {
  if (levels >= 0)
    change_environment(this_member(), [&](DataEnvironment& e) {
      e.max_active_levels = static_cast<std::uint8_t>(std::min(levels, 255));
    });
}
HEDDLE_EXPORT int omp_get_max_active_levels() {
  return environment().max_active_levels;
}
HEDDLE_EXPORT int omp_get_level() {
  return this_member().team->level;
}
HEDDLE_EXPORT int omp_get_active_level() {
  return this_member().team->active_level;
}
HEDDLE_EXPORT int omp_get_ancestor_thread_num(int level) {
  const Member* member = ancestor(level);
  return member != nullptr ? member->number : -1;
}
HEDDLE_EXPORT int omp_get_team_size(int level) {
  const Member* member = ancestor(level);
  return member != nullptr ? member->team->size : -1;
}
HEDDLE_EXPORT int omp_get_num_teams() {
  return this_member().team->league.size;
}
HEDDLE_EXPORT int omp_get_team_num() {
  return this_member().team->league.number;
}
HEDDLE_EXPORT double omp_get_wtime() {
  return monotonic_seconds();
}
HEDDLE_EXPORT double omp_get_wtick() {
  return monotonic_resolution_seconds();
}

HEDDLE_OMP_VERSIONS(omp_set_num_threads);
HEDDLE_OMP_VERSIONS(omp_get_num_threads);
HEDDLE_OMP_VERSIONS(omp_get_max_threads);
HEDDLE_OMP_VERSIONS(omp_get_thread_num);
HEDDLE_OMP_VERSIONS(omp_get_num_procs);
HEDDLE_OMP_VERSIONS(omp_in_parallel);
HEDDLE_OMP_VERSIONS(omp_set_dynamic);
HEDDLE_OMP_VERSIONS(omp_get_dynamic);
HEDDLE_OMP_VERSIONS(omp_get_cancellation);
HEDDLE_OMP_VERSIONS(omp_set_nested);
HEDDLE_OMP_VERSIONS(omp_get_nested);
HEDDLE_OMP_VERSIONS(omp_get_thread_limit);
HEDDLE_OMP_VERSIONS(omp_get_supported_active_levels);
HEDDLE_OMP_VERSIONS(omp_set_max_active_levels);
HEDDLE_OMP_VERSIONS(omp_get_max_active_levels);
HEDDLE_OMP_VERSIONS(omp_get_level);
HEDDLE_OMP_VERSIONS(omp_get_active_level);
HEDDLE_OMP_VERSIONS(omp_get_ancestor_thread_num);
HEDDLE_OMP_VERSIONS(omp_get_team_size);
HEDDLE_OMP_VERSIONS(omp_get_num_teams);
HEDDLE_OMP_VERSIONS(omp_get_team_num);
HEDDLE_OMP_VERSIONS(omp_get_wtime);
HEDDLE_OMP_VERSIONS(omp_get_wtick);
