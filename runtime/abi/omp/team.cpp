// Threads, teams and levels: OpenMP 5.2, sections 18.1 and 18.2.
#include <algorithm>
#include <climits>

#include "abi/host_device.hpp"
#include "abi/omp/export.hpp"
#include "abi/omp/routines.hpp"
#include "icv/display.hpp"
#include "icv/icvs.hpp"
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

// -- The device-wide control variables of teams, and the display of all: OpenMP 5.2, sections 18.4 and 18.15.

HEDDLE_EXPORT void omp_set_num_teams(int teams) {
  if (teams < 1) {
    warn("omp_set_num_teams(%d): the number must be positive; ignored", teams);
    return;
  }
  device_icvs().num_teams.store(teams);
}
HEDDLE_EXPORT int omp_get_max_teams() {
  return device_icvs().num_teams.load();
}
HEDDLE_EXPORT void omp_set_teams_thread_limit(int threads) {
  if (threads < 1) {
    warn("omp_set_teams_thread_limit(%d): the number must be positive; ignored", threads);
    return;
  }
  device_icvs().teams_thread_limit.store(threads);
}
HEDDLE_EXPORT int omp_get_teams_thread_limit() {
  return device_icvs().teams_thread_limit.load();
}

// OpenMP 6.0: the same of a device. There is none but the host.
HEDDLE_EXPORT void omp_set_device_num_teams(int teams, int device) {
  if (is_host(device)) omp_set_num_teams(teams);
}
HEDDLE_EXPORT int omp_get_device_num_teams(int device) {
  return is_host(device) ? omp_get_max_teams() : 0;
}
HEDDLE_EXPORT void omp_set_device_teams_thread_limit(int threads, int device) {
  if (is_host(device)) omp_set_teams_thread_limit(threads);
}
HEDDLE_EXPORT int omp_get_device_teams_thread_limit(int device) {
  return is_host(device) ? omp_get_teams_thread_limit() : 0;
}

HEDDLE_EXPORT void omp_display_env(int is_verbose) {
  display_environment(settings(), is_verbose != 0, DisplayStyle::kGnu);
}
HEDDLE_EXPORT void omp_display_env_of_clang(int is_verbose) {
  display_environment(settings(), is_verbose != 0, DisplayStyle::kLlvm);
}

HEDDLE_OMP_VERSIONS(omp_set_num_teams);
HEDDLE_OMP_VERSIONS(omp_get_max_teams);
HEDDLE_OMP_VERSIONS(omp_set_teams_thread_limit);
HEDDLE_OMP_VERSIONS(omp_get_teams_thread_limit);
HEDDLE_OMP_VERSIONS_DIFFER(omp_display_env, omp_display_env_of_clang);
HEDDLE_OMP_VERSIONS(omp_set_device_num_teams);
HEDDLE_OMP_VERSIONS(omp_get_device_num_teams);
HEDDLE_OMP_VERSIONS(omp_set_device_teams_thread_limit);
HEDDLE_OMP_VERSIONS(omp_get_device_teams_thread_limit);

// -- Leagues and teams of several dimensions (OpenMP 6.1), from GCC 17 on: here both have one. Every further
// dimension has the extent 1. Provisional, as the snapshot of 2026-10-20 has them.

HEDDLE_EXPORT int omp_get_num_threads_dim(int dimension) {
  return dimension == 0 ? omp_get_num_threads() : 1;
}
HEDDLE_EXPORT int omp_get_thread_num_dim(int dimension) {
  return dimension == 0 ? omp_get_thread_num() : 0;
}
HEDDLE_EXPORT int omp_get_thread_limit_dim(int dimension) {
  return dimension == 0 ? omp_get_thread_limit() : 1;
}
HEDDLE_EXPORT int omp_get_num_teams_dim(int dimension) {
  return dimension == 0 ? omp_get_num_teams() : 1;
}
HEDDLE_EXPORT int omp_get_team_num_dim(int dimension) {
  return dimension == 0 ? omp_get_team_num() : 0;
}

namespace {

// The most that a device supports; -1 where there is no such device.
int most_of(int device, int dimension) {
  return !is_host(device) ? -1 : dimension == 0 ? INT_MAX : 1;
}

}  // namespace

HEDDLE_EXPORT int omp_get_supported_teams_dim(int device, int dimension) {
  return most_of(device, dimension);
}
HEDDLE_EXPORT int omp_get_supported_threads_dim(int device, int dimension) {
  return most_of(device, dimension);
}
HEDDLE_EXPORT int omp_get_supported_active_team_dims(int /*device*/, int /*level*/) {
  return 1;
}
HEDDLE_EXPORT int omp_get_supported_active_league_dims(int /*device*/, int /*level*/) {
  return 1;
}
HEDDLE_EXPORT int omp_get_supported_active_team_dims_(const std::int32_t*, const std::int32_t*) {
  return 1;
}
HEDDLE_EXPORT int omp_get_supported_active_league_dims_(const std::int32_t*, const std::int32_t*) {
  return 1;
}

// From the current device: 0 to itself, -1 to what is no device.
HEDDLE_EXPORT void omp_get_device_distances(int count, const int* devices, int* distances) {
  for (int i = 0; i < count; ++i) distances[i] = is_host(devices[i]) ? 0 : -1;
}

HEDDLE_OMP_VERSIONS(omp_get_num_threads_dim);
HEDDLE_OMP_VERSIONS(omp_get_thread_num_dim);
HEDDLE_OMP_VERSIONS(omp_get_thread_limit_dim);
HEDDLE_OMP_VERSIONS(omp_get_num_teams_dim);
HEDDLE_OMP_VERSIONS(omp_get_team_num_dim);
HEDDLE_OMP_VERSIONS(omp_get_supported_teams_dim);
HEDDLE_OMP_VERSIONS(omp_get_supported_threads_dim);
HEDDLE_OMP_VERSIONS(omp_get_supported_active_team_dims);
HEDDLE_OMP_VERSIONS(omp_get_supported_active_league_dims);
HEDDLE_OMP_VERSIONS(omp_get_supported_active_team_dims_);
HEDDLE_OMP_VERSIONS(omp_get_supported_active_league_dims_);
HEDDLE_OMP_VERSIONS(omp_get_device_distances);
